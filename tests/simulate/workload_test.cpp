// What clients ask for, by themselves and several at once.
#include "simulate/workload.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "simulate/generate_support.h"
#include "simulate/presets.h"

namespace assay::test {
namespace {

using testing::SizeIs;

GeneratorOptions preset(std::string_view name) { return find_preset(name, "").value(); }

// Asks for a transaction, with `answer` to every read.
std::vector<Asked> transaction(Workload& workload, std::int64_t answer = 0) {
  const Workload::Plan plan = workload.next_transaction();
  std::vector<Asked> asked;
  while (asked.size() < plan.operations) {
    const auto next = workload.next_operation(plan, asked);
    if (!next) break;
    asked.push_back(*next);
    if (!asked.back().write) asked.back().value = answer;
  }
  return asked;
}

TEST(Workload, GivesClientsDifferentValuesForTheSameKey) {
  for (const char* name : {"general", "append", "twitter", "rubis", "smallbank"}) {
    const GeneratorOptions options = preset(name);
    std::set<std::pair<StoreKey, std::int64_t>> written;
    std::size_t writes = 0;
    for (std::size_t client = 0; client < 3; ++client) {
      const auto workload = make_workload(options, 7 + client, {client, 3});
      for (int i = 0; i < 300; ++i)
        for (const Asked& asked : transaction(*workload))
          if (asked.write) ++writes, written.emplace(asked.key, asked.value);
    }
    EXPECT_EQ(written.size(), writes) << name;
    EXPECT_GT(writes, 100u) << name;
  }
}

TEST(Workload, NeverWritesTheInitialValue) {
  for (const char* name : {"general", "append", "twitter", "rubis", "smallbank", "tpcc"}) {
    const GeneratorOptions options = preset(name);
    const auto workload = make_workload(options, 1);
    for (int i = 0; i < 300; ++i)
      for (const Asked& asked : transaction(*workload)) EXPECT_TRUE(!asked.write || asked.value > 0) << name;
  }
}

TEST(Workload, ReplacesFullListsAlsoForSeveralClients) {
  const GeneratorOptions options = preset("append");
  for (const std::size_t clients : {1, 8}) {
    const auto workload = make_workload(options, 3, {0, clients});
    std::map<StoreKey, std::size_t> appended;
    for (int i = 0; i < 2000; ++i)
      for (const Asked& asked : transaction(*workload)) appended[asked.key] += asked.write;
    // A transaction may go on with a list that it has filled.
    for (const auto& [key, count] : appended)
      EXPECT_LT(count * clients, options.list_length + clients * options.operations);
  }
}

TEST(Workload, OfTwitterLooksAtTheTweetThatLastNames) {
  const GeneratorOptions options = preset("twitter");
  const auto workload = make_workload(options, 5);
  int followed = 0;
  for (int i = 0; i < 200; ++i) {
    const auto asked = transaction(*workload, 4711);
    for (std::size_t op = 1; op < asked.size(); ++op)
      if (workload->name(asked[op - 1].key).starts_with("last:") && !asked[op - 1].write) {
        ++followed;
        EXPECT_EQ(workload->name(asked[op].key), "tweet:4711");
      }
  }
  EXPECT_GT(followed, 20);
}

TEST(Workload, OfSmallbankHasSixTransactions) {
  const GeneratorOptions options = preset("smallbank");
  const auto workload = make_workload(options, 5);
  std::set<std::string> shapes;
  for (int i = 0; i < 200; ++i) {
    std::string shape;
    for (const Asked& asked : transaction(*workload))
      shape += (asked.write ? "w" : "r") + workload->name(asked.key).substr(0, 1);
    shapes.insert(shape);
  }
  EXPECT_THAT(shapes, SizeIs(6));
}

TEST(Workload, OfTpccTakesTheNumberOfAnOrderFromItsDistrict) {
  const GeneratorOptions options = preset("tpcc");
  const auto workload = make_workload(options, 5);
  int orders = 0, deliveries = 0, nothing_to_deliver = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto asked = transaction(*workload, 41);
    std::string district;
    for (const Asked& op : asked) {
      const std::string name = workload->name(op.key);
      if (op.write && name.starts_with("d_next_o_id:")) {
        EXPECT_EQ(op.value, 42);
        district = name.substr(name.find(':'));
      }
      if (op.write && name.starts_with("o_c_id:")) {
        ++orders;
        EXPECT_EQ(name, "o_c_id" + district + ":42");  // the first order, number 0, is called 1
      }
    }
    const bool delivery = workload->name(asked.back().key).starts_with("d_next_delivery:");
    nothing_to_deliver += delivery;
    deliveries += delivery || workload->name(asked.front().key).starts_with("d_next_o_id:");
  }
  EXPECT_NEAR(orders, 450, 70);
  EXPECT_GT(nothing_to_deliver, 10);  // both counters are 41: the transaction ends
  EXPECT_GT(deliveries, nothing_to_deliver);
}

TEST(Workload, OfTpccGivesEveryKeyAPlaceInATable) {
  GeneratorOptions options = preset("tpcc");
  options.warehouses = 3;
  const auto workload = make_workload(options, 5);
  const auto layout = workload->layout();
  std::vector<std::pair<std::string, const Table*>> columns;
  for (const Table& table : layout->tables())
    for (const std::string_view column : table.columns) columns.emplace_back(column, &table);
  for (int i = 0; i < 500; ++i)
    for (const Asked& asked : transaction(*workload, i)) {
      const Cell cell = layout->cell(asked.key);
      std::string name = columns[cell.column].first;
      for (std::size_t part = 0; part < columns[cell.column].second->key.size(); ++part)
        name += ":" + std::to_string(cell.row[part]);
      EXPECT_EQ(name, workload->name(asked.key));
    }
}

TEST(Workload, NamesKeysInGeneratedHistories) {
  GeneratorOptions options = preset("rubis");
  options.transactions = 50;
  const Generated made = generated(options);
  for (const KeyId key : made.history.keys())
    EXPECT_NE(made.history.display(key).find(':'), std::string::npos);
}

}  // namespace
}  // namespace assay::test

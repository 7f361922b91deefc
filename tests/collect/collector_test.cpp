// Whole runs: what the clients leave is a history of what the database promised, and says all that they know.
#include "collect/collector.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <set>

#include "check/check.h"
#include "check/predicates.h"
#include "collect/adapter_contract.h"
#include "collect/temporary_directory.h"
#include "history_io/format.h"
#include "simulate/presets.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

class Collector : public testing::Test {
 protected:
  Collector() : directory_(TemporaryDirectory::create().value()) {
    options_.workload.sessions = 4;
    options_.workload.transactions = 400;
    options_.workload.keys = 10;
    options_.directory = directory_.path() + "/journals";
    options_.note = "a test";
  }

  History run(Database& database) {
    if (options_.levels.empty()) options_.levels = {&database.levels().front()};
    auto tally = collect(database, options_, [](const Tally&) { return true; });
    if (!tally) throw std::runtime_error(tally.error().describe());
    tally_ = *tally;
    auto history = read_history(options_.directory);
    if (!history) throw std::runtime_error(history.error().describe());
    std::filesystem::remove_all(options_.directory);
    return std::move(*history);
  }
  History run(std::string_view url) {
    database_ = opened(url, {.sessions = options_.workload.sessions, .operations = 41, .seed = 1});
    return run(*database_);
  }
  static bool holds(const History& history, Level level) {
    if (!has_rows_or_predicates(history))
      return std::holds_alternative<Holds>(Checker(history).judge(level).value());
    PredicateChecker checker(history);
    return std::holds_alternative<Holds>(checker.judge(level).value());
  }

  TemporaryDirectory directory_;
  CollectOptions options_;
  std::unique_ptr<Database> database_;
  Tally tally_;
};

TEST_F(Collector, RunsTheTransactionsOfAWarehouseOnItsTables) {
  options_.workload = find_preset("tpcc", "").value();
  options_.workload.sessions = 4;
  options_.workload.transactions = 300;
  options_.workload.keys = 5;
  for (const char* url : {"sqlite:", "simulated:ser"}) {
    const History history = run(url);
    EXPECT_GT(tally_.committed, 10u) << url;
    EXPECT_TRUE(holds(history, Level::Ser)) << url;
    std::size_t orders = 0;
    for (const KeyId key : history.keys()) orders += history.display(key).starts_with("o_c_id:1:");
    EXPECT_GT(orders, 0u) << url;
  }
}

TEST_F(Collector, RecordsEveryTransactionWithItsInstants) {
  const History history = run("sqlite:");
  EXPECT_EQ(history.note(), "a test");
  EXPECT_EQ(history.session_count(), 4u);
  EXPECT_EQ(history.transaction_count(), 400u);
  EXPECT_EQ(tally_.all(), 400u);
  EXPECT_EQ(tally_.unknown, 0u);
  std::size_t committed = 0;
  for (const TxnId t : history.transactions()) {
    const Instants at = history.instants(t);
    ASSERT_TRUE(at.begin && at.end);
    EXPECT_LE(*at.begin, *at.end);
    if (history.outcome(t) != Outcome::Committed) continue;
    ++committed;
    EXPECT_EQ(history.operations(t).size(), 8u);
    ASSERT_TRUE(at.began && at.committing);
    EXPECT_LE(*at.begin, *at.began);
    EXPECT_LE(*at.began, *at.committing);
    EXPECT_LE(*at.committing, *at.end);
  }
  EXPECT_EQ(committed, tally_.committed);
}

TEST_F(Collector, FindsSqliteSerializableInEveryWorkload) {
  for (const char* workload : {"general", "blindw", "append", "twitter", "rubis", "smallbank"}) {
    options_.workload = find_preset(workload, "").value();
    options_.workload.transactions = 600;
    options_.workload.keys = std::min<std::size_t>(options_.workload.keys, 50);
    for (const char* url : {"sqlite:", "sqlite:?journal=delete"}) {
      options_.levels.clear();
      const History history = run(url);
      EXPECT_TRUE(holds(history, Level::Ser)) << workload << " " << url;
      EXPECT_GT(tally_.committed, 10u) << workload << " " << url;
    }
  }
}

TEST_F(Collector, FindsEachSimulatedStoreAtItsLevel) {
  for (const Level level : simulated_levels()) {
    options_.levels.clear();
    const History history = run("simulated:" + std::string(id(level)));
    EXPECT_TRUE(holds(history, level)) << id(level);
  }
}

TEST_F(Collector, CatchesAStoreThatKeepsLess) {
  options_.workload.transactions = 2000;
  EXPECT_FALSE(holds(run("simulated:rc"), Level::Si));
}

TEST_F(Collector, StopsWhenItIsTold) {
  options_.count_transactions = false;
  options_.levels = {};
  database_ = opened("sqlite:");
  options_.levels = {&database_->levels().front()};
  int looks = 0;
  const auto tally = collect(*database_, options_, [&](const Tally&) { return ++looks < 3; });
  ASSERT_TRUE(tally);
  EXPECT_GT(tally->all(), 0u);
  EXPECT_LT(tally->seconds, 5);
}

TEST_F(Collector, StopsAfterTheSeconds) {
  options_.count_transactions = false;
  options_.seconds = 0.2;
  run("sqlite:");
  EXPECT_GE(tally_.seconds, 0.2);
  EXPECT_LT(tally_.seconds, 5);
}

TEST_F(Collector, RefusesADirectoryThatIsThere) {
  std::filesystem::create_directory(options_.directory);
  database_ = opened("sqlite:");
  options_.levels = {&database_->levels().front()};
  const auto tally = collect(*database_, options_, [](const Tally&) { return true; });
  ASSERT_FALSE(tally);
  EXPECT_THAT(tally.error().describe(), HasSubstr("there is something where the journals should go"));
}

TEST(Simulated, KeepsRows) {
  keeps_rows(*opened("simulated:strict-ser"));
  finds_rows_by_predicate(*opened("simulated:strict-ser"));
}

std::set<OpKind> kinds(const History& history) {
  std::set<OpKind> all;
  for (const OpId op : history.operations()) all.insert(history.kind(op));
  return all;
}

TEST_F(Collector, RunsWorkloadsOnRows) {
  using enum OpKind;
  for (const char* preset : {"B", "RQH", "IDH", "pred"}) {
    const bool predicates = std::string_view(preset) == "pred";
    options_.workload = find_preset(predicates ? "blindw" : "range", preset).value();
    options_.workload.transactions = 500;
    options_.workload.keys = 60;
    for (const char* url : {"sqlite:", "sqlite:?journal=delete", "simulated:ser", "simulated:si"}) {
      options_.levels.clear();
      const History history = run(url);
      EXPECT_GT(tally_.committed, 200u) << preset << " " << url;
      EXPECT_TRUE(holds(history, options_.levels.front()->claims.value())) << preset << " " << url;
      EXPECT_EQ(kinds(history),
                predicates ? std::set({Select, Update}) : std::set({Read, Write, Insert, Delete, Scan}));
      for (const KeyId key : history.keys())
        EXPECT_EQ(history.value(history.initial_value(key)).is_null(), history.name(key).as_integer() >= 70);
    }
  }
}

// A database whose connections break as they are told.
class Flaky final : public Database {
 public:
  enum class When { AtCommit, AtWrite };
  Flaky(When when, Reply reply) : when_(when), reply_(reply) {}

  std::string version() const override { return "Flaky 1"; }
  std::span<const DatabaseLevel> levels() const override { return {&kLevel, 1}; }
  Result<void> prepare(DataKind, std::shared_ptr<const TableLayout>) override { return {}; }
  Result<std::unique_ptr<Connection>> connect(const DatabaseLevel&) override {
    if (--connections_left < 0) return error("nobody is there");
    ++connections;
    return std::unique_ptr<Connection>(std::make_unique<Line>(*this));
  }
  std::atomic<int> connections = 0, connections_left = 1000;

 private:
  class Line final : public Connection {
   public:
    explicit Line(const Flaky& flaky) : flaky_(flaky) {}
    Reply begin() override { return Reply::Done; }
    Reply read(StoreKey, std::int64_t& value) override { return value = 0, Reply::Done; }
    Reply write(StoreKey, std::int64_t) override { return flaky_.now(When::AtWrite); }
    Reply read_list(StoreKey, std::vector<std::int64_t>&) override { return Reply::Done; }
    Reply append(StoreKey, std::int64_t) override { return Reply::Done; }
    Reply ask(const Asked&, RowAnswer&) override { return Reply::Done; }
    Reply commit() override { return flaky_.now(When::AtCommit); }
    Reply rollback() override { return Reply::Done; }
    std::string problem() const override { return "it was told to"; }

   private:
    const Flaky& flaky_;
  };

  Reply now(When when) const { return when == when_ ? reply_ : Reply::Done; }
  static constexpr DatabaseLevel kLevel{"none", "", std::nullopt};
  const When when_;
  const Reply reply_;
};

TEST_F(Collector, CallsALostCommitUnknownAndConnectsAgain) {
  options_.workload.transactions = 40;
  Flaky flaky(Flaky::When::AtCommit, Reply::Lost);
  const History history = run(flaky);
  EXPECT_EQ(tally_.unknown, 40u);
  EXPECT_EQ(flaky.connections, 44);
  for (const TxnId t : history.transactions()) {
    EXPECT_EQ(history.outcome(t), Outcome::Unknown);
    EXPECT_EQ(history.operations(t).size(), 8u);
    EXPECT_TRUE(history.instants(t).committing);
    EXPECT_FALSE(history.instants(t).end);
  }
}

TEST_F(Collector, CallsARefusedTransactionAbortedAndLeavesOutTheOperationThatFailed) {
  options_.workload.transactions = 40;
  Flaky flaky(Flaky::When::AtWrite, Reply::Aborted);
  const History history = run(flaky);
  EXPECT_EQ(flaky.connections, 4);
  for (const TxnId t : history.transactions()) {
    if (history.outcome(t) != Outcome::Aborted) continue;
    EXPECT_FALSE(history.instants(t).committing);
    for (const OpId op : history.operations(t)) EXPECT_EQ(history.kind(op), OpKind::Read);
  }
  EXPECT_GT(tally_.aborted, 30u);
}

TEST_F(Collector, StopsWithTheWordsOfADatabaseThatIsBroken) {
  Flaky flaky(Flaky::When::AtWrite, Reply::Broken);
  options_.levels = {&flaky.levels().front()};
  const auto tally = collect(flaky, options_, [](const Tally&) { return true; });
  ASSERT_TRUE(tally && tally->problem);
  EXPECT_EQ(tally->problem->describe(), "Flaky 1: it was told to");
  const auto history = read_history(options_.directory);
  ASSERT_TRUE(history) << history.error().describe();
  EXPECT_EQ(history->transaction_count(), tally->all());
  EXPECT_GT(tally->unknown, 0u);
}

// What came before in the transaction may have been rolled back; the write was not.
TEST_F(Collector, RecordsAnOperationThatWasCommittedByItselfAsATransaction) {
  options_.workload.sessions = 1;
  options_.workload.reads = 0.9;
  Flaky flaky(Flaky::When::AtWrite, Reply::Alone);
  options_.levels = {&flaky.levels().front()};
  const auto tally = collect(flaky, options_, [](const Tally&) { return true; });
  ASSERT_TRUE(tally && tally->problem);
  const auto history = read_history(options_.directory);
  ASSERT_TRUE(history) << history.error().describe();
  const std::vector<TxnId> all(history->transactions().begin(), history->transactions().end());
  ASSERT_GE(all.size(), 2u);
  const TxnId before = all[all.size() - 2], alone = all.back();
  EXPECT_EQ(history->outcome(before), Outcome::Unknown);
  for (const OpId op : history->operations(before)) EXPECT_EQ(history->kind(op), OpKind::Read);
  EXPECT_EQ(history->outcome(alone), Outcome::Committed);
  ASSERT_EQ(history->operations(alone).size(), 1u);
  EXPECT_EQ(history->kind(*history->operations(alone).begin()), OpKind::Write);
  EXPECT_LE(history->instants(alone).begin, history->instants(alone).began);
}

TEST_F(Collector, GivesUpWhenNoConnectionComesForTooLong) {
  options_.reconnect_seconds = 0.2;
  Flaky flaky(Flaky::When::AtCommit, Reply::Lost);
  flaky.connections_left = 4;
  options_.levels = {&flaky.levels().front()};
  const auto tally = collect(flaky, options_, [](const Tally&) { return true; });
  ASSERT_TRUE(tally && tally->problem);
  EXPECT_THAT(tally->problem->describe(),
              testing::AllOf(HasSubstr("no connection for"), HasSubstr("--reconnect SECONDS")));
  EXPECT_GE(tally->seconds, 0.2);
  EXPECT_LT(tally->seconds, 10);
  EXPECT_EQ(tally->unknown, 4u);
  EXPECT_EQ(read_history(options_.directory)->transaction_count(), 4u);
}

TEST_F(Collector, TriesNoLongerThanTheRunLasts) {
  options_.reconnect_seconds = 60;
  options_.seconds = 0.2;
  Flaky flaky(Flaky::When::AtCommit, Reply::Lost);
  flaky.connections_left = 4;
  options_.levels = {&flaky.levels().front()};
  const auto tally = collect(flaky, options_, [](const Tally&) { return true; });
  ASSERT_TRUE(tally);
  EXPECT_FALSE(tally->problem);
  EXPECT_LT(tally->seconds, 10);
}

TEST(FindLevel, TakesTheNamesThatDatabasesUse) {
  const auto database = opened("sqlite:");
  EXPECT_EQ((*find_level(*database, "SERIALIZABLE"))->name, "serializable");
  EXPECT_THAT(find_level(*database, "chaos").error().describe(),
              HasSubstr("has no isolation level chaos (one of serializable)"));
  EXPECT_THAT(open_database(parse_url("oracle://x").value(), {}).error().describe(),
              HasSubstr("no database is called oracle://x (one of sqlite:"));
}

}  // namespace
}  // namespace assay::test

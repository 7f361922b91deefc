#include "simulate/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

namespace assay {
namespace {

// The parametric workload of VeriStrong (Cai et al. 2026): half of the keys repeat 100 values.
GeneratorOptions general(double reads, double duplicates_zipf = 0.5) {
  return {.sessions = 20,
          .transactions = 2000,
          .operations = 20,
          .keys = 5000,
          .reads = reads,
          .read_modify_write = 0,
          .duplicates = 0.5,
          .duplicates_zipf = duplicates_zipf};
}

// BlindW of Cobra (Tan et al. 2020): a transaction reads 8 keys or writes 8 keys, without reading them first.
GeneratorOptions blindw(double read_only) {
  return {.sessions = 20,
          .transactions = 10000,
          .operations = 8,
          .keys = 10000,
          .reads = read_only,
          .mix = Mix::Split,
          .distinct_keys = true};
}

// The same on rows found by predicate: one select or update per transaction (Vbox).
GeneratorOptions blindw_by_predicate() {
  return {.shape = Shape::Predicates, .sessions = 20, .transactions = 10000, .operations = 1, .keys = 10000};
}

// The range workload of Viper (Zhang et al. 2023): 8 inserts, deletes, reads, writes or range queries per
// transaction.
GeneratorOptions range(RangeMix mix) {
  return {.shape = Shape::Ranges,
          .sessions = 20,
          .transactions = 10000,
          .operations = 8,
          .keys = 1000,
          .range_mix = mix,
          .mix = Mix::Split};
}

// `longest` is the number of operations of the longest transaction.
GeneratorOptions application(Shape shape, std::size_t users, std::size_t longest) {
  return {.shape = shape, .sessions = 20, .transactions = 2000, .operations = longest, .keys = users};
}

GeneratorOptions unique_values(GeneratorOptions options) {
  options.duplicates = 0;
  options.read_modify_write = GeneratorOptions().read_modify_write;
  return options;
}

const std::vector<PresetRow>& table() {
  static const std::vector<PresetRow> rows{
      {"general", "", "20 sessions, 2,000 txns x 20 ops, 5,000 keys, 50 % reads, unique values",
       unique_values(general(0.5))},
      {"general", "RH", "95 % reads, half of the keys with duplicate values", general(0.95)},
      {"general", "BL", "50 % reads, half of the keys with duplicate values", general(0.5)},
      {"general", "WH", "30 % reads, half of the keys with duplicate values", general(0.3)},
      {"general", "HD", "BL with heavier duplication", general(0.5, 1.5)},
      {"blindw", "", "20 sessions, 10,000 txns that read or write 8 of 10,000 keys; as RW", blindw(0.5)},
      {"blindw", "RM", "90 % of the transactions read", blindw(0.9)},
      {"blindw", "RW", "50 % of the transactions read", blindw(0.5)},
      {"blindw", "RH", "80 % of the transactions read", blindw(0.8)},
      {"blindw", "WH", "20 % of the transactions read", blindw(0.2)},
      {"blindw", "pred", "select or update 1 to 1,000 of 10,000 rows, found by a range of v1 or v2",
       blindw_by_predicate()},
      {"range", "", "8 inserts, deletes, reads, writes or range queries on 1,000 rows; as B", range({})},
      {"range", "B", "20 % of the transactions each", range({})},
      {"range", "RQH", "50 % range queries, 12.5 % each of the others", range({0.125, 0.125, 0.125, 0.125})},
      {"range", "IDH", "35 % inserts, 35 % deletes, 10 % each of the others", range({0.35, 0.35, 0.1, 0.1})},
      {"append",
       "",
       "appends to and reads of a few lists, 1 to 4 ops a transaction",
       {.fewest_operations = 1, .operations = 4, .keys = 8, .data = DataKind::Lists}},
      {"twitter", "", "tweets, timelines and followers of 1,000 users",
       application(Shape::Twitter, 1000, 41)},
      {"rubis", "", "an auction site: 20,000 users, 80,000 items, 62 regions",
       application(Shape::Rubis, 20000, 8)},
      {"smallbank", "", "two accounts for each of 1,000 customers, six transactions",
       application(Shape::Smallbank, 1000, 6)},
      {"tpcc", "", "orders, payments, deliveries of a warehouse; 300 customers a district, 3,000 items",
       application(Shape::Tpcc, 300, 66)},
  };
  return rows;
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

void list(std::string& names, std::string_view name) {
  if (name.empty() || names.ends_with(name)) return;
  names += (names.empty() ? "" : ", ") + std::string(name);
}

}  // namespace

std::span<const PresetRow> presets() { return table(); }

Result<GeneratorOptions> find_preset(std::string_view workload, std::string_view preset) {
  std::string workloads, presets_of_workload;
  bool known = false;
  for (const PresetRow& row : table()) {
    list(workloads, row.workload);
    if (!same_letters(row.workload, workload)) continue;
    known = true;
    list(presets_of_workload, row.preset);
    if (same_letters(row.preset, preset)) return row.options;
  }
  if (!known) return error(fmt::format("no workload {} can be generated", workload), "one of " + workloads);
  if (presets_of_workload.empty())
    return error(fmt::format("workload {} has no presets", workload), "leave the preset out");
  return error(fmt::format("workload {} has no preset {}", workload, preset),
               "one of " + presets_of_workload);
}

}  // namespace assay

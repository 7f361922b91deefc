#include "matrix/configuration.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/hash.h"
#include "collect/collector.h"
#include "history_io/format.h"
#include "simulate/spelling.h"

namespace assay {
namespace {

constexpr std::size_t kSessions = 8, kLongest = 8;
constexpr std::size_t kSmall = 4;       // transactions of a witness that nobody wants smaller
constexpr double kLongestLevel = 0.05;  // of the time, for judging it and for explaining; other runs come
constexpr double kShortestCollecting = 0.1, kShortestJudging = 0.2;  // seconds, however little is given

// Each shows anomalies that the others rarely do: mixed transactions lost updates and skew, readers beside
// writers reads that go back, lists the order of writes, the bank what a read-only transaction gives away,
// repeated values updates that change nothing, rows that come and go what inserts overlook, and predicates
// phantoms.
std::vector<GeneratorOptions> workloads() {
  std::vector<GeneratorOptions> all{
      {.operations = 6, .keys = 12, .read_modify_write = 0.5},
      {.operations = 4, .keys = 6, .mix = Mix::Split, .distinct_keys = true},
      {.fewest_operations = 1, .operations = 4, .keys = 4, .data = DataKind::Lists},
      {.shape = Shape::Smallbank, .operations = 6, .keys = 4},
      {.shape = Shape::Ranges, .operations = 6, .keys = 20},
      {.shape = Shape::Predicates, .operations = 2, .keys = 40},
      {.operations = 6, .keys = 4, .duplicates = 1, .duplicates_zipf = 1.2}};
  for (GeneratorOptions& workload : all) {
    workload.sessions = kSessions;
    workload.transactions = 500;
  }
  all.back().transactions = 300;  // whom a read is from is a question there, and questions take time
  return all;
}

MatrixData data_of(const GeneratorOptions& workload) {
  return workload.shape == Shape::Ranges || workload.shape == Shape::Predicates ? MatrixData::Rows
                                                                                : MatrixData::Keys;
}

// Levels that nothing has broken yet, or only something that takes long to read.
std::vector<Level> worth_judging(const MatrixRow& row) {
  std::vector<Level> levels;
  for (const LevelRecord& record : row.levels)
    if (!row.is_broken(record) || row.witnesses[*record.broken_by].transactions > kSmall)
      levels.push_back(record.level);
  return levels;
}

}  // namespace

bool replaces_rows(const GeneratorOptions& workload) { return workload.shape == Shape::Ranges; }

DatabaseOptions matrix_database_options(std::uint64_t seed) {
  return {.sessions = kSessions, .operations = kLongest, .seed = seed};
}

Result<std::vector<MatrixRow>> try_configuration(Database& database, const DatabaseLevel& level,
                                                 MatrixRow row, const MatrixOptions& options) {
  for (const LevelRow& known : levels()) row.levels.push_back({.level = known.level, .broken_by = {}});
  std::vector<MatrixRow> rows{row, std::move(row)};  // by MatrixData
  rows[1].data = MatrixData::Rows;
  const auto start = std::chrono::steady_clock::now();
  const auto kinds = workloads();
  CollectOptions collecting;
  collecting.levels = {&level};
  collecting.directory = options.directory + "/journals";
  const double slice = options.seconds / static_cast<double>(kinds.size());
  collecting.seconds = std::max(slice / 2, kShortestCollecting);
  MatrixJudgement judgement;
  judgement.called = rows[0].database + ", " + rows[0].isolation;
  judgement.seconds_per_level = kLongestLevel * options.seconds;
  double spent = 0;
  for (std::size_t runs = 0; runs < kinds.size() || spent < options.seconds; ++runs) {
    collecting.workload = kinds[runs % kinds.size()];
    collecting.workload.seed = mix(options.seed, runs);
    MatrixRow& row = rows[static_cast<std::size_t>(data_of(collecting.workload))];
    const auto tally = collect(database, collecting, [&](const Tally&) { return !options.stop(); });
    if (!tally) return tally.error();
    if (options.stop()) return error("interrupted");
    row.transactions += tally->all();
    ++row.runs;
    judgement.levels = worth_judging(row);
    judgement.seconds_in_all = std::max(slice - tally->seconds, kShortestJudging);
    auto history = read_history(collecting.directory);  // which takes nothing of the time for judging
    if (!history) return std::move(history).error();
    const auto findings = options.judge(std::move(*history), judgement);
    if (!findings) return findings.error();
    if (options.stop()) return error("interrupted");
    row.add(*findings, replaces_rows(collecting.workload),
            {spelled(collecting.workload), collecting.workload.seed});
    std::error_code ignored;
    std::filesystem::remove_all(collecting.directory, ignored);
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    row.seconds += now - std::exchange(spent, now);
    if (tally->problem) {
      row.ended_by = tally->problem->describe();
      break;
    }
    if (runs + 1 >= kinds.size() && worth_judging(rows[0]).empty() && worth_judging(rows[1]).empty()) break;
  }
  return rows;
}

}  // namespace assay

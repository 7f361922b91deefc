#include "hunt/record.h"

#include <fmt/format.h>

#include <filesystem>

#include "history_io/format.h"
#include "history_io/journal.h"

namespace assay {
namespace {

// The native format is merged from the journals as it is; others are converted.
Result<std::vector<std::string>> write_history_file(const std::string& journals, const std::string& file) {
  const auto format = format_for_output(file);
  if (!format) return format.error();
  if ((*format)->id == "jsonl") {
    ASSAY_TRY(merge_journals(journals, file));
    return std::vector<std::string>{};
  }
  auto history = read_history(journals);
  if (!history) return std::move(history).error();
  auto report = write_history(*history, file, **format, {.lossy = true});
  if (!report) return std::move(report).error();
  return std::move(report->left_out);
}

}  // namespace

std::string describe(const Database& database, const std::vector<const DatabaseLevel*>& levels) {
  std::string text = database.version() + ", ";
  for (const DatabaseLevel* level : levels)
    text += (text.ends_with(", ") ? "" : "/") + std::string(level->name);
  return text;
}

Result<RecordedRun> record(Database& database, const RunPlan& plan,
                           const std::function<bool(const Tally&)>& go_on) {
  CollectOptions options = plan.collect;
  options.note = fmt::format("{}, {}, seed {}{}", describe(database, options.levels), plan.workload,
                             options.workload.seed, plan.faults.empty() ? "" : ", faults " + plan.faults);
  auto collected = collect(database, options, go_on);
  if (!collected) return std::move(collected).error();
  if (plan.recorded) plan.recorded();
  auto left_out = write_history_file(options.directory, plan.history);
  if (!left_out) return std::move(left_out).error();
  std::error_code ignored;
  std::filesystem::remove_all(options.directory, ignored);
  return RecordedRun{*collected, std::move(*left_out), std::move(collected->problem)};
}

}  // namespace assay

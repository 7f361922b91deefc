#include "check/own_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/certify.h"
#include "history/digest.h"
#include "history_io/format.h"

namespace assay {
namespace {

constexpr std::size_t kSmall = 20'000;       // operations and lines of proof
constexpr std::size_t kRowsForEach = 1'000;  // rows in a statement's range take about a nanosecond each
constexpr std::size_t kShare = 10;           // a tenth

// How many steps judging takes for each; measured, and rather too few. Checking the evidence for an operation
// takes 1.2 microseconds at cc, the slowest level.
constexpr std::size_t kStepsPerDerivedEdge = 2, kStepsPerChoice = 10, kStepsPerConflict = 60;
constexpr std::size_t kOperationsPerStep = 3;
constexpr std::size_t kMostClocks = std::size_t{1} << 24;  // entries of clocks: 64 MB

std::size_t lines_of(const Section& section) {
  const auto* proof = std::get_if<Proof>(&section.evidence);
  std::size_t lines = proof ? proof->size() : 0;
  for (const Case& other : section.other_cases) lines += other.proof.size();
  return lines;
}

Result<void> certify_verdict(const Judged& j) {
  if (j.section) return certify(j.history, *j.section);
  const std::int64_t skew = row(j.level).needs_instants() ? j.skew : 0;
  if (const auto* holds = std::get_if<Holds>(&j.verdict)) return certify(j.history, j.level, *holds, skew);
  return certify(j.history, j.level, std::get<Violated>(j.verdict).proof, skew);
}

// The additional work for a history with rows: the checker makes the items for each case, and runs each
// statement of an execution on all keys.
std::size_t work_on_rows(const Judged& j) {
  const auto statements = static_cast<std::size_t>(std::ranges::count_if(
      j.history.operations(), [&](OpId op) { return !is_one_key(j.history.kind(op)); }));
  const bool is_run = std::holds_alternative<Holds>(j.verdict);
  return j.section->other_cases.size() * j.history.operation_count() +
         (is_run ? statements * j.history.key_count() / kRowsForEach : 0);
}

// Saves the history. Returns a message that says where, or why it could not.
std::string save(const History& history, const std::filesystem::path& folder) {
  if (folder.empty()) return "the history was not saved";
  const std::string file =
      (folder / fmt::format("assay-internal-error-{:016x}.jsonl", digest(history))).string();
  const auto written = write_history(history, file, *find_format("jsonl"));
  return written ? fmt::format("the history is saved as {}", file)
                 : fmt::format("the history could not be saved: {}", written.error().describe());
}

}  // namespace

bool is_cheap_to_certify(const Judged& j) {
  if (std::holds_alternative<Undecided>(j.verdict)) return false;
  const bool keeps_clocks = sees_the_past(j.level);  // an entry for each transaction and session
  if (keeps_clocks && j.history.transaction_count() > kMostClocks / j.history.session_count()) return false;
  std::size_t work = j.history.operation_count();
  if (j.section) work += lines_of(*j.section) + work_on_rows(j);
  else if (const auto* fell = std::get_if<Violated>(&j.verdict)) work += fell->proof.size();
  return work <= kSmall || work < j.steps / kShare;
}

// A conflict at a weak level is a judgement of the whole history (weak_search.h), and so is an execution.
std::size_t steps_of(const CheckEffort& effort, const History& history, Level level) {
  const std::size_t whole = history.operation_count() / kOperationsPerStep;
  const std::size_t conflict = is_weak(level) ? whole : kStepsPerConflict;
  return effort.executions * whole + effort.derived * kStepsPerDerivedEdge +
         effort.choices * kStepsPerChoice + effort.conflicts * conflict;
}

Result<void> check_own_evidence(const Judged& j, const std::filesystem::path& folder) {
  const auto valid = certify_verdict(j);
  if (valid || is_unchecked(valid.error())) return {};
  Error problem =
      error(fmt::format("internal error: the evidence that {} is {} was refused ({}), so there is no verdict",
                        id(j.level), std::holds_alternative<Holds>(j.verdict) ? "kept" : "violated",
                        valid.error().describe()),
            save(j.history, folder) + "; please report it");
  problem.is_defect = true;
  return problem;
}

}  // namespace assay

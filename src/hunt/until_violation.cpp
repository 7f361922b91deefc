#include "hunt/until_violation.h"

#include <algorithm>
#include <chrono>

#include "base/hash.h"

namespace assay {
namespace {

constexpr double kShortestRun = 0.1;  // seconds
// A hunt has time to judge at least so many runs, if each may take this many seconds.
constexpr double kJudgingsInHunt = 10, kShortestShare = 2;
constexpr std::size_t kRunsBeforeFewerKeys = 3;

template <class Kind>
bool has(const Findings& findings) {
  return std::ranges::any_of(
      findings.levels, [](const Finding& finding) { return std::holds_alternative<Kind>(finding.verdict); });
}

}  // namespace

std::size_t fewer_keys(const GeneratorOptions& workload) {
  const std::size_t fewest = workload.distinct_keys ? workload.operations : 2;
  return std::min(workload.keys, std::max(fewest, workload.keys / 2));
}

Result<Hunted> hunt_violation(Database& database, RunPlan plan, const HuntOptions& options,
                              const JudgeRun& judge, const std::function<bool(const Tally&)>& go_on) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const double share = std::max(options.seconds / kJudgingsInHunt, kShortestShare);
  Hunted hunted;
  hunted.judging_seconds = std::min(options.judging_seconds.value_or(share), share);
  GeneratorOptions& workload = plan.collect.workload;
  const std::uint64_t first_seed = workload.seed;
  for (;;) {
    hunted.seed = workload.seed;
    plan.collect.seconds = std::max(options.seconds - spent(), kShortestRun);
    auto run = record(database, plan, go_on);
    if (!run) return std::move(run).error();
    hunted.tally += run->tally;
    ++hunted.runs;
    auto findings = judge(*run, hunted.judging_seconds);
    if (!findings) return std::move(findings).error();
    hunted.findings = std::move(*findings);
    hunted.problem = std::move(run->problem);
    if (has<Undecided>(hunted.findings)) ++hunted.undecided;
    if (hunted.problem || has<Violated>(hunted.findings) || options.stop() || spent() >= options.seconds)
      return hunted;
    workload.seed = mix(first_seed, hunted.runs) >> 32;
    if (hunted.runs % kRunsBeforeFewerKeys == 0) workload.keys = fewer_keys(workload);
  }
}

}  // namespace assay

#include "api/limits.h"

#include <cmath>
#include <cstring>

#include "api/calls.h"
#include "api/handles.h"

namespace assay::api {
namespace {

bool is_limit(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

std::optional<double> if_set(double seconds) { return seconds > 0 ? std::optional(seconds) : std::nullopt; }

}  // namespace

// A program that was compiled with an older header knows fewer members.
Limits::Limits(const assay_options* options) {
  if (options == nullptr) return;
  require(options->size >= sizeof(std::size_t), "assay_options.size is not set");
  require(options->size <= sizeof(assay_options), "assay_options is of a later version of Assay");
  std::memcpy(&options_, options, options->size);
  require(is_limit(options_.seconds) && is_limit(options_.seconds_per_level) &&
              is_limit(options_.explain_seconds),
          "a limit of time is no number of seconds");
  require(options_.skew >= 0, "the skew of clocks is less than 0");
  require(options_.threads <= 256, "more than 256 threads");
  require(options_.megabytes <= SIZE_MAX >> 20, "the limit of memory is too large");
}

JudgeOptions Limits::for_judging() {
  JudgeOptions result;
  result.skew = options_.skew;
  result.timeout = if_set(options_.seconds_per_level);
  result.in_all = if_set(options_.seconds);
  if (options_.megabytes > 0) result.memory = options_.megabytes;
  result.threads = std::max<std::size_t>(options_.threads, 1);
  result.explain = options_.no_explanations == 0;
  if (options_.explain_seconds > 0) result.patience = options_.explain_seconds;
  result.save_to.clear();
  result.interrupted = &is_stopped_;
  if (options_.on_progress != nullptr)
    result.on_progress = [this](const Progress& progress) { show(progress); };
  if (options_.on_verdict != nullptr) result.on_verdict = [this](const Finding& finding) { tell(finding); };
  return result;
}

JudgeOptions Limits::for_reading() {
  JudgeOptions result = for_judging();
  if (result.in_all) result.timeout = result.in_all;
  return result;
}

void Limits::show(const Progress& progress) {
  const std::string task(progress.task), stage(progress.stage);
  const assay_progress now{task.c_str(), stage.c_str(), progress.done, progress.total, progress.seconds};
  if (options_.on_progress(&now, options_.user) != 0) is_stopped_ = true;
}

void Limits::tell(const Finding& finding) const {
  const auto* violated = std::get_if<Violated>(&finding.verdict);
  const auto* undecided = std::get_if<Undecided>(&finding.verdict);
  const std::string anomaly = violated ? anomaly_name(*violated) : "";
  const std::string reason = undecided ? undecided->why : "";
  const assay_finding now = shown(finding, anomaly, reason);
  options_.on_verdict(&now, options_.user);
}

assay_finding shown(const Finding& finding, const std::string& anomaly, const std::string& reason) {
  return {.level = id(finding.level).data(),
          .verdict = static_cast<assay_verdict>(finding.verdict.index()),
          .anomaly = std::holds_alternative<Violated>(finding.verdict) ? anomaly.c_str() : nullptr,
          .reason = std::holds_alternative<Undecided>(finding.verdict) ? reason.c_str() : nullptr,
          .seconds = finding.seconds,
          .explanation = finding.story ? static_cast<std::int64_t>(*finding.story) : -1};
}

}  // namespace assay::api

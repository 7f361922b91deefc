#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/printable.h"
#include "cli/interrupt.h"

namespace assay::cli {
namespace {

constexpr double kMoment = 2, kBetweenLines = 0.5;  // seconds

}  // namespace

std::string in_words(const Progress& progress) {
  std::string text;
  const auto add = [&text](std::string_view part) {
    if (!text.empty() && !part.empty()) text += ", ";
    text += part;
  };
  add(progress.task);
  add(progress.stage);
  if (progress.total > 0)
    add(fmt::format("{} %", 100 * std::min(progress.done, progress.total) / progress.total));
  add(fmt::format("{:.0f} s", progress.seconds));
  return text;
}

void ProgressLine::show(const Progress& progress) {
  if (progress.seconds < std::max(kMoment, shown_at_ + kBetweenLines) || isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[Kassay: {}: {}", printable(what_), in_words(progress));
  std::fflush(stderr);
  shown_at_ = progress.seconds;
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
  shown_at_ = 0;
}

Budget::Limits command_limits(std::optional<double> seconds, std::optional<std::size_t> megabytes,
                              ProgressLine& line) {
  return {
      .seconds = seconds, .megabytes = megabytes, .interrupted = &watch_interrupts(), .show = line.shower()};
}

std::function<std::optional<std::string>()> stop_of(Budget& budget) {
  return [&budget] { return budget.is_spent() ? std::optional(budget.why()) : std::nullopt; };
}

}  // namespace assay::cli

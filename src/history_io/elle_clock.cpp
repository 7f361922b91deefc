#include "history_io/elle_clock.h"

#include <fmt/format.h>

namespace assay {

std::int64_t ElleClock::event(ElleEvent kind, std::optional<std::int64_t> time,
                              std::optional<std::int64_t> index, std::uint64_t line) {
  const bool invokes = kind == ElleEvent::Invoke;
  any_invocation_ |= invokes;
  if (index && latest_index_ && *index < *latest_index_ && order_problem_.empty())
    order_problem_ = fmt::format("the :index of line {} is less than an earlier one", line);
  if (index) latest_index_ = std::max(index, latest_index_);

  if (times_problem_.empty()) {
    if (!time && (invokes || kind == ElleEvent::Ok))
      times_problem_ = fmt::format("line {} has no :time", line);
    else if (time && *time < 0) times_problem_ = fmt::format("the :time of line {} is negative", line);
    else if (time && latest_ && *time < *latest_)
      times_problem_ = fmt::format("the :time of line {} is less than an earlier one", line);
    else if (time && invokes && latest_ok_ && *time <= *latest_ok_)
      times_problem_ = fmt::format("the :time of line {} is also that of an earlier :ok", line);
  }
  if (time) latest_ = std::max(time, latest_);
  if (time && kind == ElleEvent::Ok) latest_ok_ = std::max(time, latest_ok_);
  return next_++;
}

void ElleClock::has_no_invocation(std::uint64_t line) {
  if (order_problem_.empty()) order_problem_ = fmt::format("the :ok of line {} has no :invoke", line);
}

void ElleClock::times_go_backwards(std::uint64_t line) {
  if (times_problem_.empty()) times_problem_ = fmt::format("the instants of line {} go backwards", line);
}

}  // namespace assay

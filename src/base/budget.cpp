#include "base/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

// A poll within this time of the last look at the clock makes the next polls skip the clock.
constexpr std::chrono::milliseconds kOften(1);
// How many polls in a row may skip it. Few, since the next polls may be far apart.
constexpr unsigned kMostPassedOver = 7;

// Assumed free memory when the system does not say how much there is.
constexpr std::size_t kSmallMachine = std::size_t{1} << 30;

}  // namespace

Budget::Budget(Limits limits)
    : limits_(std::move(limits)),
      start_(Clock::now()),
      last_look_(start_),
      is_limited_(limits_.seconds || limits_.megabytes || limits_.interrupted || limits_.ask ||
                  limits_.show) {}

Budget::Budget(Budget& whole, Limits limits) : Budget(std::move(limits)) {
  whole_ = &whole;
  outermost_ = whole.outermost_;
  is_limited_ |= whole.is_limited_;
}

Budget& Budget::unlimited() {
  static thread_local Budget budget;
  return budget;
}

void Budget::restart(double spent) {
  start_ = last_look_ = Clock::now();
  limits_.spent = spent;
  is_spent_ = false;
  polls_to_pass_over_ = passed_over_ = 0;
  why_.clear();
}

bool Budget::look(std::size_t more) {
  if (!is_limited_) return false;
  const auto now = Clock::now();
  passed_over_ = now - last_look_ < kOften ? std::min(2 * passed_over_ + 1, kMostPassedOver) : 0;
  polls_to_pass_over_ = limits_.ask ? 0 : passed_over_;
  last_look_ = now;
  if (auto why = reason(now, more)) {
    is_spent_ = true;
    why_ = std::move(*why);
  } else if (outermost_->limits_.show) {
    outermost_->progress_.seconds =
        std::chrono::duration<double>(now - outermost_->start_).count() + outermost_->limits_.spent;
    outermost_->limits_.show(outermost_->progress_);
  }
  return is_spent_;
}

std::optional<std::string> Budget::reason(Clock::time_point now, std::size_t more) {
  if (whole_ != nullptr) {
    if (whole_->is_spent_) return whole_->why_;
    if (auto why = whole_->reason(now, more)) return why;
  }
  if (limits_.interrupted && *limits_.interrupted) return "interrupted";
  if (limits_.seconds &&
      std::chrono::duration<double>(now - start_).count() + limits_.spent >= *limits_.seconds)
    return limits_.time_is_up.empty() ? fmt::format("the limit of {} s was reached", *limits_.seconds)
                                      : limits_.time_is_up;
  if (limits_.megabytes && must_look_at_memory(now, more))
    if (auto why = no_room_for(more)) return why;
  return limits_.ask ? limits_.ask(more) : std::nullopt;
}

// Asking the system for memory costs as much as a hundred looks at the clock.
bool Budget::must_look_at_memory(Clock::time_point now, std::size_t more) {
  if (more == 0 && now - last_look_at_memory_ < kOften) return false;
  last_look_at_memory_ = now;
  return true;
}

std::optional<std::string> Budget::no_room_for(std::size_t bytes) const {
  for (const Budget* budget = this; budget != nullptr; budget = budget->whole_)
    if (budget->limits_.megabytes && (resident_bytes() + bytes) >> 20 > *budget->limits_.megabytes)
      return fmt::format("the limit of {} MB was reached", *budget->limits_.megabytes);
  return std::nullopt;
}

void Budget::begin_task(std::string_view name) {
  outermost_->progress_.task = name;
  begin_stage("");
}

void Budget::begin_stage(std::string_view name, std::size_t total) {
  outermost_->progress_.stage = name;
  outermost_->progress_.done = 0;
  outermost_->progress_.total = total;
}

std::size_t Budget::memory_left() const {
  const std::size_t available = available_bytes();
  std::size_t left = available == 0 ? kSmallMachine : available;
  for (const Budget* budget = this; budget != nullptr; budget = budget->whole_)
    if (budget->limits_.megabytes) {
      const std::size_t limit = *budget->limits_.megabytes << 20;
      left = std::min(left, limit - std::min(limit, resident_bytes()));
    }
  return left;
}

}  // namespace assay

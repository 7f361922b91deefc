// Decides what orders the transactions of a Jepsen history in real time: their times, or the order of the
// events.
//
// Jepsen's real-time order is the order of the events: a transaction precedes another if it completed before
// the other was invoked. Times can serve --skew and reports, so they are used where they give exactly the
// same order: every invocation and every :ok has one, none is negative, none is less than an earlier one, and
// every invocation is later than every :ok before it. Otherwise (no times, `:time -1` as Elle writes it, the
// same time everywhere, a coarse clock, a clock that was set back) the instants are the positions of the
// events.
//
// The order of events is known if every :ok has an invocation and no :index is less than an earlier one. An
// :index may repeat: histories written by hand do that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace assay {

enum class ElleEvent : std::uint8_t { Invoke, Ok, Fail, Info };

class ElleClock {
 public:
  // The next event of a transaction; where it stands among them.
  std::int64_t event(ElleEvent kind, std::optional<std::int64_t> time, std::optional<std::int64_t> index,
                     std::uint64_t line);
  // The event before this was an :ok that nobody invoked.
  void has_no_invocation(std::uint64_t line);
  // A transaction's instants are not in order.
  void times_go_backwards(std::uint64_t line);

  bool has_usable_times() const { return times_problem_.empty(); }
  bool has_usable_order() const { return any_invocation_ && order_problem_.empty(); }
  // Each is a clause that names the line.
  const std::string& times_problem() const { return times_problem_; }
  std::string order_problem() const { return any_invocation_ ? order_problem_ : "there is no :invoke"; }

 private:
  std::int64_t next_ = 0;
  std::optional<std::int64_t> latest_, latest_ok_, latest_index_;
  bool any_invocation_ = false;
  std::string times_problem_, order_problem_;  // empty: none so far
};

}  // namespace assay

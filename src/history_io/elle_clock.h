// Decides what gives the real-time order of a Jepsen history: the times of the events, or their positions.
//
// Jepsen defines the real-time order by the order of events: a transaction precedes another if it completed
// before the other was invoked. Times are useful for --skew and in reports, so they are the instants if they
// give exactly the same order. That is: every invocation and every :ok has a time, none is negative, none is
// less than an earlier one, and every invocation is later than every :ok before it. Otherwise the instants
// are the positions of the events: if there are no times, if `:time` is -1 as Elle writes it or the same
// everywhere, if the clock is coarse, or if it was set back.
//
// The order of events is known if every :ok has an invocation and no :index is less than an earlier one. An
// :index may repeat, as it does in histories written by hand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace assay {

enum class ElleEvent : std::uint8_t { Invoke, Ok, Fail, Info };

class ElleClock {
 public:
  // Notes the next event of a transaction, and returns its position among the events.
  std::int64_t event(ElleEvent kind, std::optional<std::int64_t> time, std::optional<std::int64_t> index,
                     std::uint64_t line);
  // Notes that the last event was an :ok without an invocation.
  void has_no_invocation(std::uint64_t line);
  // Notes that the instants of a transaction are not in order.
  void times_go_backwards(std::uint64_t line);

  bool has_usable_times() const { return times_problem_.empty(); }
  bool has_usable_order() const { return any_invocation_ && order_problem_.empty(); }
  // Clauses that name the line.
  const std::string& times_problem() const { return times_problem_; }
  std::string order_problem() const { return any_invocation_ ? order_problem_ : "there is no :invoke"; }

 private:
  std::int64_t next_ = 0;
  std::optional<std::int64_t> latest_, latest_ok_, latest_index_;
  bool any_invocation_ = false;
  std::string times_problem_, order_problem_;  // empty: none so far
};

}  // namespace assay

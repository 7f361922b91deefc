#include "certify/clocks.h"

#include <fmt/format.h>

namespace assay {

PointInterval interval_of(const History& history, Point point, const PointRules& rules) {
  const Instants at = history.instants(point.txn);
  const bool has_no_end = history.outcome(point.txn) == Outcome::Unknown;  // it may have committed later
  const auto end = has_no_end ? std::nullopt : at.end;
  if (!rules.two_points) return {at.begin, end};
  if (point.commit) return {at.committing ? at.committing : at.begin, end};
  return {at.begin, at.began ? at.began : end};
}

bool is_earlier(const PointInterval& first, const PointInterval& second, std::int64_t skew) {
  if (!first.latest || !second.earliest) return false;
  std::int64_t with_skew = 0;
  if (__builtin_add_overflow(*first.latest, skew, &with_skew)) return false;  // beyond the last instant
  return with_skew < *second.earliest;
}

bool orders_by_clock(const PointRules& rules, bool first_commits, bool second_commits) {
  if (!rules.two_points) return rules.real_time.c_to_s;
  if (second_commits) return first_commits ? rules.real_time.c_to_c : rules.real_time.s_to_c;
  return first_commits && rules.real_time.c_to_s;
}

Result<void> require_clocks(const History& history) {
  constexpr const char* kNeeded = "levels of real time need begin and end of every committed transaction";
  for (const TxnId t : history.transactions()) {
    const Instants at = history.instants(t);
    if (history.outcome(t) != Outcome::Committed || (at.begin && at.end)) continue;
    if (!history.instants_reason().empty())
      return error(
          "nothing says which transactions came before others in real time: " + history.instants_reason(),
          kNeeded);
    return error(fmt::format("transaction {} does not say when it {}", history.display(t),
                             at.begin ? "ended" : "began"),
                 kNeeded);
  }
  return {};
}

Result<void> require_times(const History& history, std::int64_t skew) {
  if (skew != 0 && history.has_instants() && history.instant_kind() == InstantKind::Positions)
    return error("a skew means nothing here: the instants of this history are positions of events, not times",
                 "leave out --skew");
  return {};
}

}  // namespace assay

#include "isolation/real_time.h"

#include <fmt/format.h>

namespace assay {

Bounds bounds(const History& history, TxnId t, bool commit, const PointRules& rules) {
  const Instants at = history.instants(t);
  Bounds result{at.begin, at.end};
  if (history.outcome(t) == Outcome::Unknown) result.latest.reset();
  if (rules.two_points && commit && at.committing) result.earliest = at.committing;
  if (rules.two_points && !commit && at.began) result.latest = at.began;
  return result;
}

bool precedes(const Bounds& p, const Bounds& q, std::int64_t skew) {
  if (!p.latest || !q.earliest || *p.latest >= *q.earliest) return false;
  const auto gap =
      static_cast<std::uint64_t>(*q.earliest) - static_cast<std::uint64_t>(*p.latest);  // cannot overflow
  return gap > static_cast<std::uint64_t>(skew);
}

bool has_real_time(const PointRules& rules, bool from_commit, bool to_commit) {
  if (!rules.two_points) return rules.real_time.c_to_s;
  if (!from_commit) return to_commit && rules.real_time.s_to_c;
  return to_commit ? rules.real_time.c_to_c : rules.real_time.c_to_s;
}

Result<void> require_instants(const History& history) {
  for (const TxnId t : history.transactions()) {
    if (history.outcome(t) != Outcome::Committed) continue;
    const Instants at = history.instants(t);
    if ((!at.begin || !at.end) && !history.instants_reason().empty())
      return error(
          "nothing says which transactions came before others in real time: " + history.instants_reason(),
          "levels of real time need begin and end of every committed transaction");
    if (!at.begin || !at.end)
      return error(fmt::format("transaction {} does not say when it {}", history.display(t),
                               at.begin ? "ended" : "began"),
                   "levels of real time need begin and end of every committed transaction");
  }
  return {};
}

Result<void> require_clock_for(const History& history, std::int64_t skew) {
  if (skew == 0 || !history.has_instants() || history.instant_kind() == InstantKind::Nanoseconds) return {};
  std::string what =
      "a skew means nothing here: the instants of this history are positions of events, not times";
  if (!history.instants_reason().empty()) what += " (" + history.instants_reason() + ")";
  return error(std::move(what), "leave out --skew");
}

Result<void> require_sessions_in_time(const History& history, std::int64_t skew) {
  for (const SessionId s : history.sessions()) {
    TxnId latest;  // the transaction that began last so far
    for (const TxnId t : history.transactions(s)) {
      if (history.outcome(t) != Outcome::Committed) continue;
      const Instants at = history.instants(t);
      if (!latest.is_none() && precedes({{}, at.end}, {history.instants(latest).begin, {}}, skew))
        return error(fmt::format("the instants contradict the session order: transaction {} comes after {}, "
                                 "but ended at {}, before "
                                 "that began at {}",
                                 history.display(t), history.display(latest), *at.end,
                                 *history.instants(latest).begin),
                     "check the recorder's clock, or allow for it with --skew");
      if (latest.is_none() || at.begin > history.instants(latest).begin) latest = t;
    }
  }
  return {};
}

}  // namespace assay

// The times between which the points of a transaction lie, according to its client's clock.
//
// The snapshot lies in begin..began, and the commit in committing..end. If one of these instants is missing,
// the next one outwards is the bound; at levels with one point only begin..end matter. A transaction of
// unknown outcome may have committed at any later time, whatever its `end` says. (docs/levels.md)
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "history/history.h"
#include "isolation/point_rules.h"

namespace assay {

struct Bounds {
  std::optional<std::int64_t> earliest{}, latest{};  // nothing: no bound
};

Bounds bounds(const History& history, TxnId t, bool commit, const PointRules& rules);

// Whether a point precedes another in real time, if clocks differ by at most `skew`.
bool precedes(const Bounds& p, const Bounds& q, std::int64_t skew);

// Whether the level has real-time edges between points of these kinds.
bool has_real_time(const PointRules& rules, bool from_commit, bool to_commit);

// Returns an error unless every committed transaction has a begin and an end.
Result<void> require_instants(const History& history);

// Returns an error if a skew is given in nanoseconds but the instants are positions, between which no time is
// known.
Result<void> require_clock_for(const History& history, std::int64_t skew);

// Returns an error if, according to the clocks, a committed transaction ended before an earlier one of its
// session began.
Result<void> require_sessions_in_time(const History& history, std::int64_t skew);

}  // namespace assay

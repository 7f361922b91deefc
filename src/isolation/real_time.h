// When the points of a transaction can have been, as far as its client's clock tells.
//
// The snapshot lies in begin..began, the commit in committing..end; where an instant is missing the next one
// outwards bounds it, and with one point only begin..end are asked. A transaction of unknown outcome may have
// committed at any later time, whatever its `end` says. (docs/levels.md)
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "history/history.h"
#include "isolation/point_rules.h"

namespace assay {

struct Bounds {
  std::optional<std::int64_t> earliest{}, latest{};  // nothing: it is not bounded
};

Bounds bounds(const History& history, TxnId t, bool commit, const PointRules& rules);

// Whether a point lies before another one in real time, if clocks differ by up to `skew`.
bool precedes(const Bounds& p, const Bounds& q, std::int64_t skew);

// Whether the level has real-time edges between points of these kinds.
bool has_real_time(const PointRules& rules, bool from_commit, bool to_commit);

// An error unless every committed transaction says when it began and ended.
Result<void> require_instants(const History& history);

// An error if a skew is given in nanoseconds, but the instants are positions, whose distances mean nothing.
Result<void> require_clock_for(const History& history, std::int64_t skew);

// An error if, as clocks have it, a committed transaction ended before an earlier one of its session began.
Result<void> require_sessions_in_time(const History& history, std::int64_t skew);

}  // namespace assay

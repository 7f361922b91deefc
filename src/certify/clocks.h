// What clients' clocks say about the points of transactions: docs/certificates.md, "Real time".
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "history/history.h"
#include "isolation/point_rules.h"
#include "verdict/proof.h"

namespace assay {

// The instants between which a point lies; nothing where it has no bound.
struct PointInterval {
  std::optional<std::int64_t> earliest{}, latest{};
};
PointInterval interval_of(const History& history, Point point, const PointRules& rules);

// Whether a point in the first interval precedes one in the second, if clocks differ by at most `skew`.
bool is_earlier(const PointInterval& first, const PointInterval& second, std::int64_t skew);

// Whether the level orders a point of the first kind before a later one of the second by real time.
bool orders_by_clock(const PointRules& rules, bool first_commits, bool second_commits);

// The first returns an error unless all committed transactions have a begin and an end, the second if the
// skew is in nanoseconds and the instants are not.
Result<void> require_clocks(const History& history);
Result<void> require_times(const History& history, std::int64_t skew);

}  // namespace assay

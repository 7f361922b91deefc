// Whether a history can reveal anything about isolation.
//
// Isolation restricts how transactions that run at the same time affect each other. If no two ran at the same
// time, or none accessed what another wrote, every database passes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

// The reasons, one sentence each, why the verdict that a level holds says nothing about the database; none if
// it may say something. Clocks may differ by `skew` nanoseconds. O(n log n) in the operations.
std::vector<std::string> untested_isolation(const History& history, std::int64_t skew);

}  // namespace assay

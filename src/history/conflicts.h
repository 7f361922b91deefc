// Whether a history can say anything about isolation.
//
// Isolation restricts what transactions that run at the same time do to each other. If none ran at the same
// time as another, or none touched what another wrote, every database passes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

// Why a verdict that a level holds says nothing about the database, a sentence each; none if it may say
// something. Clocks may differ by `skew` nanoseconds. O(operations), and sorting.
std::vector<std::string> untested_isolation(const History& history, std::int64_t skew);

}  // namespace assay

// The history around a violation as rows of sessions, for the HTML report.
//
// At most kMostTransactions of them, and no more than kMostBytes of text, so that a report stays small enough
// to attach to a ticket: those nearest to the transactions that a story is about. x is time where all that
// are shown have clocks, else the order of the input, or the place in the session where the input lists one
// session after another.
#pragma once

#include "report/json.h"

namespace assay {

inline constexpr std::size_t kMostTransactions = 5000, kMostBytes = 400'000;

Json timeline(const Findings& findings);

}  // namespace assay

// The part of the history around a violation, as one row for each session, for the HTML report.
//
// It shows the transactions nearest to those of the explanations, at most kMostTransactions of them and
// kMostBytes of text, so that a report is small enough to attach to a ticket. The x axis is time if all of
// them have clocks. Otherwise it is the order of the input, or the position in the session if the input lists
// one session after another.
#pragma once

#include "report/json.h"

namespace assay {

inline constexpr std::size_t kMostTransactions = 5000, kMostBytes = 400'000;

Json timeline(const Findings& findings);

}  // namespace assay

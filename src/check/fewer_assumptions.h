// Makes a case cover more: leaves out assumed outcomes that its violation does not rest on.
//
// Each assumed outcome fewer halves the number of cases that are left. First go those that the proof does not
// speak of; then halves of the rest are tried, then quarters, and so on, but not for long.
#pragma once

#include "check/refinement_loop.h"

namespace assay {

// The same violation, with as few assumed outcomes as were found to do; undecided if it had to stop.
Result<StatementVerdict> with_fewer_assumptions(RefinementLoop& loop, Level level, StatementVerdict violated);

// Of the assumed outcomes, those that a proof about the subject may rest on: of rows of transactions that it
// speaks of, and of rows that a read that it speaks of may be from.
std::vector<Truth> assumptions_of(const History& history, const Subject& subject, const Proof& proof);

}  // namespace assay

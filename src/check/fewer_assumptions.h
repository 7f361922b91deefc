// Widens a case: drops assumed outcomes that its violation does not need.
//
// Each assumption dropped doubles the combinations of outcomes that the case rules out. First go the
// assumptions that the proof does not mention. Then halves of the rest are tried, then quarters, and so on,
// up to a limit of tries.
#pragma once

#include "check/refinement_loop.h"

namespace assay {

// The violation with as few assumptions as were found to suffice; undecided if the budget ran out.
Result<StatementVerdict> with_fewer_assumptions(RefinementLoop& loop, Level level, StatementVerdict violated);

// The assumed outcomes that a proof about the subject may depend on. Their key occurs in the proof, and
// either their transaction does too or a read in the proof may return the row.
std::vector<Truth> assumptions_of(const History& history, const Subject& subject, const Proof& proof);

}  // namespace assay

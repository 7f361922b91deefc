// Replaces a proof with conditional writes by one that a reader can follow.
//
// A proof in which the search chose what update-maybes changed is valid, and goes into the certificate. But
// it argues about every combination of their outcomes. Since the level is violated for each combination, the
// reader is shown a proof for the likely one.
#pragma once

#include "check/refinement_loop.h"

namespace assay {

// Replaces the proof of a violation, which uses conditional writes. `last` contains all reads that were found
// necessary. Undecided if no readable proof was found.
Result<StatementVerdict> with_readable_proof(RefinementLoop& loop, Level level, StatementVerdict violated,
                                             const Supposition& last);

}  // namespace assay

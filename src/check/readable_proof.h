// Replaces a proof with conditional writes by one that a reader can follow.
//
// A proof in which the search chose what update-maybes changed is valid, and goes into the certificate. But
// it argues about every way in which they may have gone. Whichever it was, the level is violated; so the
// reader is shown why it is if they changed the likely rows.
#pragma once

#include "check/refinement_loop.h"

namespace assay {

// Of a violation whose proof speaks of conditional writes; `last` has all reads that were found necessary.
// Undecided if no such proof was found.
Result<StatementVerdict> with_readable_proof(RefinementLoop& loop, Level level, StatementVerdict violated,
                                             const Supposition& last);

}  // namespace assay

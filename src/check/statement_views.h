// Which invisible reads an execution of a level without one store, which knows nothing of them, leaves
// unexplained.
//
// At rc, ra and weaker levels a reader sees versions one by one, and each that it sees brings its writer into
// view, which must not have overwritten anything the reader saw elsewhere. But most of what a statement says
// of other keys is explained by what costs nothing, so it is tried in this order:
//  - the newest version before the reader in the order. Such reads never contradict each other; they may only
//  bring a writer
//    into view that is too new for a read whose writer is known;
//  - the newest version in view, with all who came into it by the first rule: it brings nobody else.
// At cc and psi it is tried with the newest version in the reader's past (past_views.h). Reads that are not
// explained so may still have an explanation: they have to be made (history/itemize.h), and get a writer of
// their own. The checker of certificates asks the same in its own way (certify/statements.h).
//
// Cost: a few instructions for each statement and key that it ranges over.
#pragma once

#include "base/budget.h"
#include "history/itemize.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

// `execution` is of the items. At most `per_writer` for each reader and writer of a version that does not
// fit. Sorted. A budget that is spent ends it early: there may be more.
Result<std::vector<Invisible>> unexplained_reads(const History& history, const Items& items, Level level,
                                                 const Execution& execution, std::size_t per_writer,
                                                 Budget& budget = Budget::unlimited());

}  // namespace assay

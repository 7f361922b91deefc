// Finds the invisible reads that an execution at a level without a total order leaves unexplained. The
// execution was found without them.
//
// At rc, ra and weaker levels each version that a reader sees brings its writer into the reader's view, and a
// writer in view must not have overwritten a version that the reader saw elsewhere. Most invisible reads are
// explained by a version that adds no constraint. Two such versions are tried, in this order:
// - The newest version before the reader in the order. Such reads never contradict each other. But the
//   version's writer may be too new to enter the view, next to a read whose writer is known.
// - The newest version by a writer in view, including those that entered by the first rule. It brings no
//   further writer into view.
// At cc and psi the newest version in the reader's past is tried (past_views.h). Reads that remain may still
// have an explanation: they become explicit (history/itemize.h), and the search finds a writer for each. The
// checker of certificates answers the same question in its own way (certify/statements.h).
//
// Cost: a few instructions for each statement and key in its range.
#pragma once

#include "base/budget.h"
#include "history/itemize.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay {

// Returns the reads sorted, at most `per_writer` for each reader and writer of a version that does not fit.
// `execution` is one of the items. If the budget runs out, the result may be incomplete.
Result<std::vector<Invisible>> unexplained_reads(const History& history, const Items& items, Level level,
                                                 const Execution& execution, std::size_t per_writer,
                                                 Budget& budget = Budget::unlimited());

}  // namespace assay

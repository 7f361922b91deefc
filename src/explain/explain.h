// From a violation to its explanation: shrink, tell, and say which levels fall with it.
//
//     name.h          which anomaly the violation is
//     core.h          the part of the history that its proof speaks of
//     shrink.h        the smallest part of the history that shows the same
//     proof_cases.h   the part's proof as a cycle, or as cases that each end in one
//     proof_story.h   the edges of a cycle, with their reasons
//     wrong_read.h    a read that is wrong by itself
//     words.h         the sentences
#pragma once

#include "explain/explanation.h"
#include "explain/name.h"
#include "explain/shrink.h"

namespace assay {

// `verdict` is what the checker said about the level, with its name. Who gives up does not learn of all
// levels whether the part breaks them.
Explanation explain(const Checker& checker, Level level, const Violated& verdict,
                    const Patience& patience = {});

}  // namespace assay

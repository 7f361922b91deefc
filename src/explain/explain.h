// Explains a violation: shrinks the history, turns the proof into sentences, and lists the levels that the
// part violates.
//
//     shrink.h        a minimal part of the history with the same violation
//     proof_outline.h the lemmas of the proof, without the order of its lines
//     proof_cases.h   the proof as one cycle, or as cases that each end in one
//     proof_story.h   the edges of a cycle, with their reasons
//     wrong_read.h    a read that is wrong by itself
//     words.h         the sentences
#pragma once

#include "explain/explanation.h"
#include "explain/shrink.h"

namespace assay {

// `verdict` is the checker's for this level. If `patience` runs out, `rules_out` and `still_hold` may lack
// levels.
Explanation explain(const Checker& checker, Level level, const Violated& verdict,
                    const Patience& patience = {});

}  // namespace assay

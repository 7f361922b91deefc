// From a violation to its explanation: shrink, tell, and say which levels fall with it.
//
//     shrink.h        the smallest part of the history that shows the same
//     proof_cases.h   the part's proof as a cycle, or as cases that each end in one
//     proof_story.h   the edges of a cycle, with their reasons
//     wrong_read.h    a read that is wrong by itself
//     words.h         the sentences
#pragma once

#include <functional>

#include "check/check.h"
#include "explain/explanation.h"

namespace assay {

struct ExplainOptions {
  // Asked now and then: whether to be content with the smallest part found so far.
  std::function<bool()> out_of_time = [] { return false; };
};

// `verdict` is what the checker said about the level.
Explanation explain(const Checker& checker, Level level, const Violated& verdict,
                    const ExplainOptions& options = {});

}  // namespace assay

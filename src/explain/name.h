// The name of what is wrong with a history: which anomaly a violation is.
//
// It follows from the levels that the core of the proof violates (docs/levels.md): the weakest one is the
// most specific. That takes judging parts of the history, so the engine gives verdicts without names, but for
// those of a weak level or of a single read, where the rule that is broken says what is wrong.
#pragma once

#include "check/predicates.h"

namespace assay {

// A verdict of this checker with its name; without one if the budget is spent before that is known.
Violated named(const Checker& checker, Level level, Violated violated);

Result<Verdict> judge_and_name(Checker& checker, Level level);
Result<Verdict> judge_and_name(PredicateChecker& checker, Level level);

}  // namespace assay

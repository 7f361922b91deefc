// Explains the violated levels.
#pragma once

#include <functional>

#include "check/check.h"
#include "judge/judge.h"

namespace assay {

// Returns the checker that found the level violated.
using CheckerOf = std::function<const Checker&(Level)>;

// Levels that the same part of the history violates for the same reason share one story.
void explain_levels(const CheckerOf& checker_of, const JudgeOptions& options, Findings& findings);

}  // namespace assay

// The explanations of what is violated, each once.
#pragma once

#include <functional>

#include "check/check.h"
#include "judge/judge.h"

namespace assay {

// The checker that found a level violated.
using CheckerOf = std::function<const Checker&(Level)>;

// Levels that are violated by the same part of the history for the same reason share a story.
void explain_levels(const CheckerOf& checker_of, const JudgeOptions& options, Findings& findings);

}  // namespace assay

// Judging a history: the pipeline, read as a list of stages.
//
//     history -> validated reads -> facts -> saturation -> verdict
#pragma once

#include "base/result.h"
#include "isolation/level.h"
#include "verdict/verdict.h"

namespace assay {

// Which levels check() judges.
bool can_check(Level level);

// An error when the history is of a kind, or the level one, that is not judged.
Result<Verdict> check(const History& history, Level level);

}  // namespace assay

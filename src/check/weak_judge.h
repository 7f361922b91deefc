// Judges the weak levels (rc, ra, cc and below): by saturation alone if the writer of every read is known,
// otherwise by a search for the writers.
#pragma once

#include "check/judging.h"

namespace assay {

Verdict judge_weak(Level level, Judging& judging);

}  // namespace assay

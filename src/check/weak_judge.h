// rc, ra and cc: by saturation alone where the writer of every read is known, by a search for the writers
// where it is not.
#pragma once

#include "check/judging.h"

namespace assay {

Verdict judge_weak(Level level, Judging& judging);

}  // namespace assay

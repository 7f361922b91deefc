// Checks that the cases of a violation cover every possible outcome of the rows of update-maybes.
//
// Each case assumes some outcomes, and its proof holds whatever the others are (items.h). This file checks
// that every choice of outcomes that agrees with the counts of committed update-maybes falls under some case.
// It branches on the outcomes that the cases assume, one after the other.
//
// For cases that the engine found by such a search this is linear. For others the checker stops after a
// number of steps linear in their size.
#pragma once

#include "base/result.h"
#include "verdict/certificate.h"

namespace assay {

Result<void> certify_cases(const History& history, const Section& section);

}  // namespace assay

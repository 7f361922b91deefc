// A level is violated whatever the truths: its cases leave none out.
//
// Each case supposes some truths, and has a proof that holds whatever others are (items.h). Here it
// is shown that every choice of truths that agrees with the counts of committed update-maybes falls under
// some case: by taking truths that the cases speak of one after the other, each way.
//
// Cases that came from such a search make this linear in them; others may not be looked at for longer than
// that allows.
#pragma once

#include "base/result.h"
#include "verdict/certificate.h"

namespace assay {

Result<void> certify_cases(const History& history, const Section& section);

}  // namespace assay

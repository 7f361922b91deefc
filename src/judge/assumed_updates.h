// What an explanation takes updates to have done, of which only the statement is known.
#pragma once

#include "history/completion.h"
#include "report/findings.h"

namespace assay {

// Says of the rows that the story speaks of which ones it assumes changed, and claims no level but those that
// were found to be violated whatever the updates did: with other rows changed the part might break other
// levels, and satisfy others.
void say_what_is_assumed(Explanation& story, const Findings& findings, const std::vector<Truth>& assumed);

}  // namespace assay

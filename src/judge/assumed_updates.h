// Adds to an explanation which outcomes of updates it assumes, where the history gives only the statement.
#pragma once

#include "history/completion.h"
#include "report/findings.h"

namespace assay {

// Names, among the rows that the story mentions, those that it assumes changed and those it assumes
// unchanged. Then drops claims about other levels: with other outcomes the part might break other levels, and
// satisfy others. Only levels whose violation was shown for all outcomes, and stronger ones, stay.
void say_what_is_assumed(Explanation& story, const Findings& findings, const std::vector<Truth>& assumed);

}  // namespace assay

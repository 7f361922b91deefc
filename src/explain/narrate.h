// A proof in words, line by line: what is left where whom a read is from is a matter of cases, so that there is no cycle to
// tell (proof_story.h). One short sentence for each line, with the names and values of the input.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "verdict/proof.h"

namespace assay {

// In the order of the proof.
std::vector<std::string> narrate(const History& history, const Proof& proof);

}  // namespace assay

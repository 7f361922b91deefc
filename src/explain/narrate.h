// A proof in words: one short sentence for each line, with the names and values of the input.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"
#include "verdict/proof.h"

namespace assay {

// In the order of the proof.
std::vector<std::string> narrate(const History& history, const Proof& proof);

// The sentences of the contradiction at the end only: the edges of its cycle, or the read that nothing explains.
std::vector<std::string> narrate_end(const History& history, const Proof& proof);

// Whom the proof speaks of, in the order of the history.
std::vector<TxnId> involved(const History& history, const Proof& proof);

}  // namespace assay

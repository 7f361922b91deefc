// The part of a history that a proof speaks of, and the name of what is wrong with it.
//
// The core holds the transactions, reads and writes that the proof names, so it breaks the level for the same
// reason, and is small. Its name follows from the levels it breaks (docs/levels.md): the weakest one is the
// most specific.
#pragma once

#include "check/check.h"
#include "verdict/proof.h"

namespace assay {

Selection core(const History& history, const ReadFacts& facts, const Proof& proof);

// By judging parts of the history, in this way; where that is stopped, the name means nothing.
Name name_anomaly(const History& history, const ReadFacts& facts, Level level, const Proof& proof,
                  const CheckOptions& how);

// Without looking: what breaks the level and nothing weaker.
Name name_of_level(Level level, const Proof& proof);

}  // namespace assay

// The part of a history that a proof speaks of, and the name of what is wrong with it.
//
// The core holds the transactions, reads and writes that the proof names, so it breaks the level for the same
// reason, and is small. Its name follows from the levels it breaks (docs/levels.md): the weakest one is the most specific.
#pragma once

#include "dependency/read_facts.h"
#include "verdict/proof.h"

namespace assay {

// Without `sessions` every transaction is in a session of its own.
History core(const History& history, const ReadFacts& facts, const Proof& proof, bool sessions);

Anomaly name_anomaly(const History& history, const ReadFacts& facts, const Proof& proof, bool sessions);

}  // namespace assay

// The part of a history that a proof speaks of.
//
// The core holds the transactions, reads and writes that the proof names, so it violates the level for the
// same reason, and is small.
#pragma once

#include "dependency/read_facts.h"
#include "history/edit.h"
#include "verdict/proof.h"

namespace assay {

// Of a wrong read: only the read.
Selection core(const History& history, const ReadFacts& facts, const Proof& proof);

}  // namespace assay

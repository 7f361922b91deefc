// Tells a proof that ends because more transactions updated a key than there are versions that they can have
// read (dependency/crowded_reads.h). It says who they are, whose versions these are, and what follows; it
// does not try one version after the other.
#pragma once

#include "explain/proof_outline.h"
#include "explain/words.h"

namespace assay {

std::vector<std::string> tell_crowded(const History& history, const Words& words, Level level,
                                      const Proof& proof);

}  // namespace assay

// From an unsatisfiable search to a proof that stands on the history alone.
#pragma once

#include "encoding/write_order.h"
#include "verdict/proof_builder.h"

namespace assay {

// Of known edges alone.
Proof refute_known(const KnownGraph& known, std::span<const std::uint32_t> cycle, const Points& points, ProofBuilder proof);

// Of a search that ended unsatisfiable: only what the contradiction needs.
Proof refute_search(const History& history, const ReadFacts& facts, const WriteOrder& search, const Points& points,
                    ProofBuilder proof);

}  // namespace assay

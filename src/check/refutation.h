// From a violation to a proof that stands on the history alone.
#pragma once

#include <optional>

#include "base/budget.h"
#include "check/derived.h"
#include "encoding/write_order.h"

namespace assay {

// Of known edges alone.
Proof refute_known(DerivedFacts& known, std::span<const std::uint32_t> cycle, ProofBuilder proof);

// A writer of the key reaches a read of its initial version.
Proof refute_stale(DerivedFacts& known, const ReadFact& read, TxnId overwriting, const Points& points,
                   ProofBuilder proof);

// An open read is from none of its possible writers.
Proof refute_writers(DerivedFacts& known, const OpenRead& read, ProofBuilder proof);

// Of a search that ended unsatisfiable: only what the contradiction needs. That can be as long as the search
// was; nothing if the budget does not last for it.
std::optional<Proof> refute_search(const History& history, const ReadFacts& facts, const WriteOrder& search,
                                   const Points& points, DerivedFacts& known, ProofBuilder proof,
                                   Budget& budget);

}  // namespace assay

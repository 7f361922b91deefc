// Turns a contradiction into a proof that uses only the history.
#pragma once

#include <functional>
#include <optional>

#include "base/budget.h"
#include "check/derived.h"
#include "encoding/write_order.h"

namespace assay {

// The proof for a cycle of known edges.
Proof refute_known(DerivedFacts& known, std::span<const std::uint32_t> cycle, ProofBuilder proof);

// The proof when a writer of the key reaches a read of its initial version.
Proof refute_stale(DerivedFacts& known, const ReadFact& read, TxnId overwriting, const Points& points,
                   ProofBuilder proof);

// The proof when an open read cannot be from any of its possible writers.
Proof refute_writers(DerivedFacts& known, const OpenRead& read, ProofBuilder proof);

// The proof when these reads have fewer candidates together than they are (dependency/crowded_reads.h).
Proof refute_crowded(DerivedFacts& known, const OpenReads& open, std::span<const OpId> reads,
                     const std::function<bool(std::uint32_t)>& is_excluded, ProofBuilder proof);

// The proof of an unsatisfiable search, restricted to the clauses that the contradiction needs. It can be as
// long as the search. Returns nothing if the budget runs out.
std::optional<Proof> refute_search(const History& history, const ReadFacts& facts, const WriteOrder& search,
                                   const Points& points, DerivedFacts& known, ProofBuilder proof,
                                   Budget& budget);

}  // namespace assay

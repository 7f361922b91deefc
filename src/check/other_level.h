// Evidence about one level as evidence about another.
//
// An execution that explains a history at a level explains it at every weaker one; a proof that refutes a
// level refutes every stronger one. But evidence has the form of its level: transactions have one point or
// two, and reads repeat or do not.
#pragma once

#include "check/history_facts.h"
#include "verdict/verdict.h"

namespace assay {

// The same order where every transaction has one point, or two.
Order with_points(const Order& order, bool two_points);

// The execution as one of this level, which it explains. `is_total`: it is of a level where all points are
// ordered.
Holds holds_at(Level level, const HistoryFacts& facts, Holds execution, bool is_total = true);

// The proof as one at this level, which implies the level of the proof. Nothing: it takes judging the level.
std::optional<Proof> proof_at(Level level, const HistoryFacts& facts, Level of, const Proof& proof);

// Why a level is violated. What that is called takes a look at parts of the history (explain/name.h).
Violated unnamed(Proof proof);

}  // namespace assay

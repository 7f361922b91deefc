// Converts evidence for one level into evidence for another.
//
// An execution that explains a history at a level also explains it at every weaker level, and a proof that
// refutes a level also refutes every stronger one. But the form of evidence depends on the level: whether
// transactions have one point or two, and whether reads repeat.
#pragma once

#include "check/history_facts.h"
#include "verdict/verdict.h"

namespace assay {

// The same order, with one point for each transaction, or with two.
Order with_points(const Order& order, bool two_points);

// Converts an execution that is known to explain this level too. `is_total`: it comes from a level with a
// total order of points.
Holds holds_at(Level level, const HistoryFacts& facts, Holds execution, bool is_total = true);

// Converts the proof to this level, which must imply the level `of`. Returns nothing if the level has to be
// judged itself.
std::optional<Proof> proof_at(Level level, const HistoryFacts& facts, Level of, const Proof& proof);

// A violation whose anomaly has no name yet. Finding the name takes judging parts of the history
// (explain/name.h).
Violated unnamed(Proof proof);

}  // namespace assay

// From PL-2 over read committed and read atomic to causal: the levels that end with saturation.
//
// All ask for a commit order that contains sessions (if the level has session order), reads and the order
// that lists show, and in which t2 precedes t1 whenever t3 reads x from t1 and has t2, another writer of x,
// in its view (levels.md). They differ only in what a view is, and a view never depends on the order: so the
// edges are added once, and the level holds exactly when the graph has no cycle (Biswas and Enea).
//
//   pl-2  view: nobody.
//   rc    view: what t3 read from before this read.   Cost: for each pair (reader, writer it read from) the
//   ra    view: whom it read from, and its session.         smaller of the two transactions.
//   cc    view: everything that reaches it through sessions and reads. Reachability is one clock per
//       transaction over the k chains of the history: O(transactions * k), and O(k log) per read. The clocks
//       are made for some chains at a time, so that they need no more memory where there are many.
//
// Of each chain only the latest transaction in the view needs an edge: the earlier ones precede it.
//
//     commit_order  the edges and their causes: first what the history gives
//     weak_views    what the views of readers add
//     weak_proof    the proof where the edges form a cycle
#pragma once

#include "base/budget.h"
#include "dependency/read_facts.h"
#include "isolation/level.h"
#include "verdict/proof_builder.h"
#include "verdict/verdict.h"

namespace assay {

// `level` is weak, and `facts` were found for it and hold no wrong read. Undecided if the budget is
// spent first.
Verdict judge_weak_level(const History& history, const ReadFacts& facts, Level level, ProofBuilder builder,
                         Budget& budget);

}  // namespace assay

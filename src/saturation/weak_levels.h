// Judges the levels from PL-2 over read committed and read atomic to causal consistency. Saturation alone
// decides them.
//
// Each requires a commit order that contains session order (if the level has it), reads, and the version
// order that lists show. In it, t2 must precede t1 whenever t3 reads x from t1 and has t2, another writer of
// x, in its view (levels.md). The levels differ only in the view. A view never depends on the commit order,
// so the edges are added once, and the level holds exactly when the graph has no cycle (Biswas and Enea).
//
//   pl-2  view: nothing.
//   rc    view: the transactions that t3 read from before this read.
//   ra    view: the transactions that t3 read from, and those before it in its session.
//         Cost of both: for each pair (reader, writer it read from), the smaller of the two transactions.
//   cc    view: all transactions that reach t3 through sessions and reads. Reachability is one clock per
//         transaction over the k chains of the history: O(transactions * k), and O(k log n) per read. If
//         there are many chains, clocks are built for some at a time, to bound their memory.
//
// Of each chain only the latest transaction in the view needs an edge: the earlier ones precede it.
//
//     commit_order  the edges and their causes, beginning with those that the history gives
//     weak_views    the edges that the views of readers add
//     weak_proof    the proof when the edges form a cycle
#pragma once

#include "base/budget.h"
#include "dependency/read_facts.h"
#include "isolation/level.h"
#include "verdict/proof_builder.h"
#include "verdict/verdict.h"

namespace assay {

// `level` must be weak, and `facts` must be those of the level, without a wrong read. Undecided if the budget
// is spent first.
Verdict judge_weak_level(const History& history, const ReadFacts& facts, Level level, ProofBuilder builder,
                         Budget& budget);

}  // namespace assay

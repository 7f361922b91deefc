// Proofs that no execution has a cycle, of any length.
//
// Inductive: let R be the programs that may still stand on a cycle. If every dependency that leaves an
// instance of T' (within R) goes with arbitration, and of any two dependencies t1 -> t2 -> t3 within R the
// last transaction comes after one of the others, then whatever a transaction of T' reaches comes after it,
// so it is on no cycle; a cycle of two is the case t1 = t3 and must be excluded by itself. Then R loses T'.
// The transactions of T' still run beside the others: only the named ones are restricted to R.
//
// Shortest path: if every path of k edges has a chord, a shortest cycle has at most k transactions; so none
// up to k is none at all.
//
// Window: let F be the transaction of a cycle that comes first in arbitration. If the cycle has more than k
// transactions, the k before F on it are all different from F and come after F in arbitration. So if no path
// of k dependencies ends before everything else on it, every cycle has at most k transactions.
//
// The last two look for cycles of up to k; what they find makes the outcome an anomaly.
#pragma once

#include "analysis/queries.h"

namespace assay::analysis {

// Sets the outcome when it finds one, or finds a longer cycle. Expects that no cycle up to analysis.cycle >=
// 2 exists.
void prove(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis);

}  // namespace assay::analysis

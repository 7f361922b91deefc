// Bounded search: every cycle of up to `cycle` transactions, by their programs.
//
// Which programs stand on the cycle is enumerated (up to rotation), not left to the solver: each question is
// then small, many are pruned because two neighbours cannot depend on each other at all, and they run in
// parallel. Shorter cycles first; longer ones only while there is none, since they mostly contain the shorter
// ones.
#pragma once

#include "analysis/queries.h"

namespace assay::analysis {

// Cycles of exactly this many transactions; sets the outcome and analysis.cycle. Expects that shorter ones
// were looked for.
void search_length(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, unsigned length,
                   Analysis& analysis);
// All lengths up to options.cycle.
void search(const Facts& facts, Queries& queries, const std::vector<Answer>& possible, Analysis& analysis);

// possible[p * n + q]: whether a transaction of p can have one of q depend on it.
std::vector<Answer> possible_edges(std::size_t programs, Queries& queries);
// All tuples of `length` programs whose neighbours can depend on each other; of cycles up to rotation,
// without those that the server excludes.
std::vector<Tuple> cycles_of(const Facts& facts, const std::vector<Answer>& possible, std::size_t length);
std::vector<Tuple> paths_of(std::size_t programs, const std::vector<Answer>& possible, std::size_t length);

}  // namespace assay::analysis

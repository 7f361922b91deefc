// Restarts and deletion of learned clauses. The search restarts from level 0 after a number of conflicts
// given by Luby's sequence. When there are many learned clauses, it deletes half of them, those whose
// literals span the most decision levels. The theory keeps its order across restarts, so the search soon
// returns to where it was at little cost.
#include <algorithm>

#include "solver/solver.h"

namespace assay {
namespace {

std::uint64_t luby(std::uint64_t i) {
  std::uint64_t size = 1, exponent = 0;
  for (; size < i + 1; size = 2 * size + 1) ++exponent;
  while (size - 1 != i) {
    size = (size - 1) / 2;
    --exponent;
    i %= size;
  }
  return std::uint64_t{1} << exponent;
}

}  // namespace

void Solver::restart() {
  backtrack(0);
  conflicts_since_restart_ = 0;
  restart_limit_ = settings_.restart_base * luby(++restarts_);
}

void Solver::reduce() {
  std::vector<ClauseRef> candidates;
  for (ClauseRef ref = 0; ref < clauses_.size(); ++ref) {
    const Clause& c = clauses_[ref];
    if (!c.learned || c.deleted || c.literals.size() <= 2 || c.distinct_levels <= 2) continue;
    const bool is_reason = value(c.literals[0]) == kTrue && reason_[c.literals[0].var()] == ref;
    if (!is_reason) candidates.push_back(ref);
  }
  std::ranges::stable_sort(candidates, std::greater<>{},
                           [&](ClauseRef ref) { return clauses_[ref].distinct_levels; });
  candidates.resize(candidates.size() / 2);
  for (const ClauseRef ref : candidates) {
    clauses_[ref].deleted = true;
    clauses_[ref].literals.clear();
    clauses_[ref].literals.shrink_to_fit();
  }
  learned_alive_ -= candidates.size();
  reduce_limit_ += 500;
}

}  // namespace assay

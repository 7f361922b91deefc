// The search loop of conflict-driven clause learning; solver.h says what is particular here.
#include "solver/solver.h"

namespace assay {

Answer Solver::solve(const std::function<bool()>& complete, const std::function<bool()>& stop) {
  for (;;) {
    if (const ClauseRef conflict = contradiction_ ? kNoClause : propagate(); conflict != kNoClause) {
      ++conflicts_;
      ++conflicts_since_restart_;
      if (level() == 0) conclude(conflict);
      else learn_from(conflict);
    }
    if (contradiction_) return Answer::Unsatisfiable;
    if (clauses_done_ < trail_.size()) continue;
    if (stop()) return Answer::Stopped;
    if (restarting()) restart();
    else if (reducing()) reduce();
    else if (const auto var = next_variable()) {
      ++decisions_;
      level_begin_.push_back(static_cast<std::uint32_t>(trail_.size()));
      const Lit tried = literal_to_try(*var);
      if (tried.var() != *var) heap_insert(*var);
      enqueue(tried, kNoClause);
    } else if (!complete()) {
      return Answer::Satisfiable;
    }
  }
}

}  // namespace assay

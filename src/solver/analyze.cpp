// Conflict analysis. Resolves the conflict clause backwards along the trail until one literal of the current
// decision level is left (the first unique implication point), and learns the result. Literals fixed at level
// 0 are dropped; the unit clauses that fixed them become antecedents too, so that the derivation is complete.
#include <algorithm>

#include "base/contract.h"
#include "solver/solver.h"

namespace assay {

void Solver::learn_from(ClauseRef conflict) {
  std::vector<Lit> learned{Lit()};  // the first literal is the one that the clause will imply
  std::vector<ClauseId> resolved;   // in the order of resolution, which is against the trail
  std::vector<ClauseId> units;
  std::vector<Var> marked;
  std::size_t open = 0, at = trail_.size();
  ClauseRef reason = conflict;
  for (;;) {
    resolved.push_back(clauses_[reason].id);
    for (const Lit l : clauses_[reason].literals) {
      const Var v = l.var();
      if (seen_[v] || value(l) == kTrue) continue;
      seen_[v] = true;
      marked.push_back(v);
      bump(v);
      if (level_[v] == 0) units.push_back(unit_[v]);
      else if (level_[v] == level()) ++open;
      else learned.push_back(l);
    }
    while (!seen_[trail_[--at].var()]) {
    }
    if (--open == 0) break;
    reason = reason_[trail_[at].var()];
  }
  learned[0] = ~trail_[at];
  for (const Var v : marked) seen_[v] = false;

  units.insert(units.end(), resolved.rbegin(), resolved.rend());
  const ClauseId id = derivations_.add(Derivations::Kind::Learned, learned, units);
  bump_by_ /= 0.95;

  const auto deepest = std::max_element(learned.begin() + 1, learned.end(),
                                        [&](Lit a, Lit b) { return level_[a.var()] < level_[b.var()]; });
  std::vector<std::uint32_t> levels;
  for (const Lit l : learned) levels.push_back(level_[l.var()]);
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  std::uint32_t target = 0;
  if (deepest != learned.end()) {
    target = level_[deepest->var()];
    std::swap(learned[1], *deepest);
  }
  backtrack(target);
  const Lit asserted = learned[0];
  const ClauseRef ref = attach({.id = id,
                                .learned = true,
                                .distinct_levels = static_cast<std::uint32_t>(levels.size()),
                                .literals = std::move(learned)});
  enqueue(asserted, ref);
}

// A conflict at level 0 depends on no decision: derives the empty clause.
void Solver::conclude(ClauseRef conflict) {
  ASSAY_ASSERT(level() == 0);
  std::vector<ClauseId> grounds;
  for (const Lit l : clauses_[conflict].literals) grounds.push_back(unit_[l.var()]);
  grounds.push_back(clauses_[conflict].id);
  contradiction_ = derivations_.add(Derivations::Kind::Learned, {}, grounds);
}

// A literal that is implied at level 0 holds for good: derives a unit clause for it.
void Solver::fix(Lit l, ClauseRef reason) {
  ASSAY_ASSERT(reason != kNoClause);
  const Clause& clause = clauses_[reason];
  if (clause.literals.size() == 1) {
    unit_[l.var()] = clause.id;
    return;
  }
  std::vector<ClauseId> grounds;
  for (const Lit other : clause.literals)
    if (other != l) grounds.push_back(unit_[other.var()]);
  grounds.push_back(clause.id);
  unit_[l.var()] = derivations_.add(Derivations::Kind::Learned, std::span(&l, 1), grounds);
}

void Solver::bump(Var v) {
  activity_[v] += bump_by_;
  if (activity_[v] > 1e100) {
    for (double& a : activity_) a *= 1e-100;
    bump_by_ *= 1e-100;
  }
  if (heap_place_[v] != UINT32_MAX) sift_up(heap_place_[v]);
}

}  // namespace assay

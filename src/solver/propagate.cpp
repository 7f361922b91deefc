// Propagation: unit clauses imply literals, and the theory reports conflicts. Clauses go first because they
// are cheaper; the theory gets a literal only when all implications of clauses are drawn.
#include <algorithm>

#include "base/contract.h"
#include "solver/solver.h"

namespace assay {

Var Solver::new_variable() {
  const auto var = static_cast<Var>(value_.size());
  value_.push_back(kOpen);
  level_.push_back(0);
  reason_.push_back(kNoClause);
  unit_.push_back(0);
  activity_.push_back(0);
  heap_place_.push_back(UINT32_MAX);
  seen_.push_back(false);
  watches_.resize(watches_.size() + 2);
  heap_insert(var);
  return var;
}

ClauseId Solver::add(Derivations::Kind kind, std::span<const Lit> literals,
                     std::span<const std::uint32_t> grounds) {
  const ClauseId id = derivations_.add(kind, literals, grounds);
  const bool untouched = std::ranges::all_of(literals, [&](Lit l) { return value(l) == kOpen; });
  if (!untouched || literals.size() <= 1) backtrack(0);
  std::vector<Lit> ordered(literals.begin(), literals.end());
  std::ranges::stable_partition(ordered, [&](Lit l) { return value(l) != kFalse; });
  const bool unit =
      !ordered.empty() && value(ordered[0]) == kOpen && (ordered.size() == 1 || value(ordered[1]) == kFalse);
  const bool falsified = ordered.empty() || value(ordered[0]) == kFalse;
  const ClauseRef ref = attach({.id = id, .learned = false, .literals = std::move(ordered)});
  if (falsified) conclude(ref);
  else if (unit) enqueue(clauses_[ref].literals[0], ref);
  return id;
}

Solver::ClauseRef Solver::attach(Clause clause) {
  const auto ref = static_cast<ClauseRef>(clauses_.size());
  if (clause.literals.size() > 1)
    for (int i : {0, 1}) watches_[clause.literals[i].code].push_back({ref, clause.literals[1 - i]});
  learned_alive_ += clause.learned;
  clauses_.push_back(std::move(clause));
  return ref;
}

void Solver::enqueue(Lit l, ClauseRef reason) {
  ASSAY_ASSERT(value(l) == kOpen);
  value_[l.var()] = l.positive() ? kTrue : kFalse;
  level_[l.var()] = level();
  reason_[l.var()] = reason;
  trail_.push_back(l);
  if (level() == 0) fix(l, reason);
}

void Solver::probe(Var var) {
  backtrack(0);
  if (contradiction_) return;
  if (const ClauseRef conflict = propagate(); conflict != kNoClause) return conclude(conflict);
  if (value_[var] != kOpen) return;
  const Lit preferred = theory_.preferred(var);
  TheoryConflict conflict;
  for (const Lit tried : {preferred, ~preferred}) {
    if (theory_.assign(tried, conflict)) {
      theory_.unassign(tried);
      continue;
    }
    const ClauseRef lemma = add_lemma(conflict);
    std::ranges::partition(clauses_[lemma].literals, [&](Lit l) { return l == ~tried; });
    return enqueue(~tried, lemma);
  }
}

Solver::ClauseRef Solver::add_lemma(TheoryConflict& conflict) {
  for (Lit& l : conflict.literals) l = ~l;
  const ClauseId id = derivations_.add(Derivations::Kind::Lemma, conflict.literals, conflict.reasons);
  clauses_.push_back({.id = id, .learned = true, .deleted = true, .literals = std::move(conflict.literals)});
  return static_cast<ClauseRef>(clauses_.size() - 1);
}

Solver::ClauseRef Solver::propagate() {
  TheoryConflict conflict;
  for (;;) {
    if (clauses_done_ < trail_.size()) {
      if (const ClauseRef found = propagate_clauses(trail_[clauses_done_++]); found != kNoClause)
        return found;
    } else if (theory_done_ < trail_.size()) {
      if (!theory_.assign(trail_[theory_done_], conflict)) return add_lemma(conflict);
      ++theory_done_;
    } else {
      return kNoClause;
    }
  }
}

// The literal became true: each clause that watches its negation must find another literal to watch.
Solver::ClauseRef Solver::propagate_clauses(Lit l) {
  auto& watches = watches_[(~l).code];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    const Watch watch = watches[i];
    if (value(watch.blocker) == kTrue) {
      watches[kept++] = watch;
      continue;
    }
    Clause& clause = clauses_[watch.clause];
    if (clause.deleted) continue;
    auto& literals = clause.literals;
    if (literals[0] == ~l) std::swap(literals[0], literals[1]);
    const auto other =
        std::find_if(literals.begin() + 2, literals.end(), [&](Lit x) { return value(x) != kFalse; });
    if (value(literals[0]) != kTrue && other != literals.end()) {
      std::swap(literals[1], *other);
      watches_[literals[1].code].push_back({watch.clause, literals[0]});
      continue;
    }
    watches[kept++] = {watch.clause, literals[0]};
    if (value(literals[0]) == kTrue) continue;
    if (value(literals[0]) == kFalse) {
      while (++i < watches.size()) watches[kept++] = watches[i];
      watches.resize(kept);
      return watch.clause;
    }
    enqueue(literals[0], watch.clause);
  }
  watches.resize(kept);
  return kNoClause;
}

void Solver::backtrack(std::uint32_t to) {
  if (level() <= to) return;
  const std::size_t begin = level_begin_[to];
  while (trail_.size() > begin) {
    const Lit l = trail_.back();
    if (theory_done_ == trail_.size()) {
      theory_.unassign(l);
      --theory_done_;
    }
    trail_.pop_back();
    value_[l.var()] = kOpen;
    heap_insert(l.var());
  }
  for (const Var v : passed_over_) heap_insert(v);
  passed_over_.clear();
  clauses_done_ = std::min(clauses_done_, trail_.size());
  level_begin_.resize(to);
}

}  // namespace assay

// Searches for an execution that explains a history: conflict-driven clause learning modulo acyclicity, with
// constraints encoded on demand.
//
// The solver decides choices. The acyclicity theory keeps a total order of points that is consistent with all
// active edges. When every decided choice is consistent, that order is the current execution. Repair checks
// it against the history's reads and writes, and adds choices and clauses for the constraints that it
// violates. If it violates none, it explains the history. This is the lazy loop of an SMT solver, with an
// execution as the model.
//
//     parts:   Choices          the variables, and the edges that their literals activate
//              OrderChoices     the choices about order: two writers, a snapshot and a commit
//              VersionChoices   the choices about versions: the writer of a read, whether a version exists
//              DefiningClauses  the clauses that define when a version exists
//              Clauses          clauses that wait to be added, and the reason for each
//              TotalOrderRepair where to look for violations; KeyCheck finds them, KeyOrders has the
//                               order of each key's versions
//              PsiRepair        the same at psi, by PsiReachability
//
// Transactions of unknown outcome without a choice do not count. One may imagine that they run one after
// another at the end, where no edge of theirs constrains anything.
#pragma once

#include "dependency/guess.h"
#include "encoding/defining_clauses.h"
#include "encoding/psi_repair.h"
#include "encoding/total_order_repair.h"

namespace assay {

class WriteOrder {
 public:
  WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions,
             const PointRules& rules, const KnownGraph& known, Guess guess,
             const SolverSettings& settings = {});
  WriteOrder(const WriteOrder&) = delete;
  WriteOrder& operator=(const WriteOrder&) = delete;

  // Polls `stop` between the steps of the solver. If it ends the search, the choices so far can still be
  // read. Polls `abandoned` within the steps too.
  Answer solve(
      const std::function<bool()>& stop, const Abandoned& abandoned = [] { return false; });
  // Encodes all constraints at once, instead of those that an execution violates. If it is abandoned, the
  // search makes the rest when an execution violates them.
  void make_all_choices(const Abandoned& abandoned = [] { return false; });

  const Choice& choice(Var var) const { return choices_[var]; }
  std::size_t choice_count() const { return choices_.size(); }
  // The keys that the choices so far are about, sorted.
  std::vector<KeyId> keys_of_choices() const { return choices_.keys(); }

  // For a proof of unsatisfiability: the cause of an edge, the reason of an axiom, and whether a lemma is a
  // cycle of edges or, at psi, a path from an overwriting transaction to the reader that missed its version
  // (see Clauses::add_missed).
  EdgeCause cause(std::uint32_t edge) const { return choices_.cause(edge); }
  const Axiom& axiom(ClauseId id) const { return clauses_.axiom(id); }
  bool is_cycle(ClauseId lemma) const { return clauses_.is_cycle(lemma); }

  const Solver& solver() const { return solver_; }
  const Acyclicity& theory() const { return theory_; }

  // The current execution.
  std::vector<std::uint32_t> order() const { return theory_.order().order(); }
  bool counts(TxnId t) const { return version_choices_.counts(t); }
  // The version chosen for an open read. At levels with a total order, only the reads for which it had to be
  // chosen have one.
  VersionId chosen(std::uint32_t read) const { return version_choices_.chosen(read); }

 private:
  bool repair(const Abandoned& abandoned);
  bool state_clauses();
  bool probe_new_choices(const std::function<bool()>& stop);

  const SearchProblem problem_;
  Acyclicity theory_;
  Solver solver_;
  Choices choices_;
  Clauses clauses_;
  OrderChoices order_choices_;
  VersionChoices version_choices_;
  DefiningClauses defining_clauses_;
  std::optional<TotalOrderRepair> total_;  // either this or psi_, by the level
  std::optional<PsiRepair> psi_;
  Var probed_ = 0;  // the variables before this one have been probed
};

}  // namespace assay

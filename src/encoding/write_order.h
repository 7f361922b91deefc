// The search for an execution that explains a history: CDCL modulo acyclicity, with choices made on demand.
//
// The solver decides choices; the acyclicity theory keeps a total order of points that agrees with all edges
// that are switched on. When nothing that was decided is in conflict, that order is the execution at hand.
// Repair checks it against the history's reads and writes, and adds choices and clauses for what it breaks.
// If it breaks nothing, it explains the history. This is the lazy loop of an SMT solver, with an execution in
// the part of the model.
//
//     parts:   Choices          the variables, and the edges that their literals switch on
//              OrderChoices     those about order: two writers, a snapshot and a commit
//              VersionChoices   those about versions: whom a read is from, and whether a version is there
//              DefiningClauses  what it means that a version is there
//              Clauses          clauses that wait to be added, and why each holds
//              TotalOrderRepair where to look for what broke; KeyCheck says what did, KeyOrders has the
//                               order of each key's versions
//              PsiRepair        the same at psi, by PsiReachability
//
// Transactions of unknown outcome that no choice is about do not count; they are thought of as running one
// after another at the end, where no edge about them is in the way.
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

  // `stop` is asked between the steps of the solver; after that answer it can be asked about its choices.
  // `abandoned` is asked within them too.
  Answer solve(
      const std::function<bool()>& stop, const Abandoned& abandoned = [] { return false; });
  // Makes every choice at once instead of when it is broken.
  void make_all_choices();

  const Choice& choice(Var var) const { return choices_[var]; }
  std::size_t choice_count() const { return choices_.size(); }
  // The keys that the choices so far are about, in order.
  std::vector<KeyId> keys_of_choices() const { return choices_.keys(); }

  // What a proof of unsatisfiability needs: why an edge is there, why an axiom holds, and whether a lemma is
  // a cycle of edges or, at psi, a path from an overwriting transaction to the reader that missed it (see
  // Clauses::add_missed).
  EdgeCause cause(std::uint32_t edge) const { return choices_.cause(edge); }
  const Axiom& axiom(ClauseId id) const { return clauses_.axiom(id); }
  bool is_cycle(ClauseId lemma) const { return clauses_.is_cycle(lemma); }

  const Solver& solver() const { return solver_; }
  const Acyclicity& theory() const { return theory_; }

  // The execution at hand.
  std::vector<std::uint32_t> order() const { return theory_.order().order(); }
  bool counts(TxnId t) const { return version_choices_.counts(t); }
  // The version that was chosen for an open read. At levels with a total order there is one only where it had
  // to be chosen.
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
  std::optional<TotalOrderRepair> total_;  // one of the two, by the level
  std::optional<PsiRepair> psi_;
  Var probed_ = 0;  // variables before this one have been tried by themselves
};

}  // namespace assay

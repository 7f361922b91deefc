// The clauses that a search adds, each with the reason why it holds.
//
// A clause over decided variables takes the solver back to where nothing is decided. The execution at hand
// would change in the middle of being checked. So clauses wait here until all of it has been checked.
//
// A proof of a violation states each axiom that it needs by its reason (check/refutation.cpp).
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "encoding/choices.h"

namespace assay {

// Why a clause that is given to the solver holds: the rule that a proof states or uses for it.
//   Candidates         `op`, an open read, is from one of its possible writers, or its transaction does not
//                      count
//   Implies            `op` is not from `txn`, or txn counts, or its conditional write took place
//   Shows              `op`, a list read, shows something of `txn`: its reader does not count, or txn does
//   NotFrom            `op` is not from candidate number `candidate` of all
//   Overwritten        if the writer that `op` is from is before txn, the reader is before txn too; by itself
//                      where op is from the initial transaction
//   Matched, Unmatched conditional write `write` met a version that says so, or did the other. With a
//                      candidate: it did not meet that one of its read and do what that forbids
//   Exclusive          from and txn do not overlap, if their conditional writes of `key` took place
//   TooMany, TooFew    not all of these conditional writes, of the same statement as `write`, took place; or
//                      one of these did
struct Axiom {
  Rule rule;
  OpId op{};
  TxnId from{}, txn{};
  std::optional<std::uint32_t> candidate{};
  std::uint32_t write = 0;
  KeyId key{};
};

class Clauses {
 public:
  Clauses(const SearchProblem& problem, Choices& choices, Solver& solver)
      : facts_(problem.facts), points_(problem.points), choices_(choices), solver_(solver) {}

  // The read, which is from an initial version, comes before this writer of its key.
  void add_fact(std::uint32_t read, TxnId overwriting) { facts_waiting_.push_back({read, overwriting}); }
  void add_axiom(std::vector<Lit> literals, const Axiom& axiom) {
    axioms_waiting_.push_back({std::move(literals), axiom});
  }
  // psi: a path of edges from an overwriting transaction to the reader that missed it is no lemma of the
  // acyclicity theory, which knows nothing of reads. Its reasons are these edges, and then the read: its
  // number among the reads with one possible writer, or theirs and its own among the open ones.
  void add_missed(std::vector<Lit> literals, std::vector<std::uint32_t> reasons) {
    missed_waiting_.push_back({std::move(literals), std::move(reasons)});
  }
  bool is_waiting() const { return !facts_waiting_.empty() || !axioms_waiting_.empty(); }

  // Gives the solver the facts that wait; each becomes a variable that is always true.
  void state_facts();
  // Gives it the clauses; whether there were any.
  bool state_clauses();

  const Axiom& axiom(ClauseId id) const { return axioms_.at(id); }
  // Whether the lemma is a cycle of edges, and not what psi forbids.
  bool is_cycle(ClauseId lemma) const { return !std::ranges::binary_search(missed_, lemma); }

 private:
  struct WaitingFact {
    std::uint32_t read;
    TxnId overwriting;
  };
  struct WaitingAxiom {
    std::vector<Lit> literals;
    Axiom axiom;
  };
  struct WaitingMissed {
    std::vector<Lit> literals;
    std::vector<std::uint32_t> reasons;
  };

  const ReadFacts& facts_;
  const Points points_;
  Choices& choices_;
  Solver& solver_;
  std::vector<WaitingFact> facts_waiting_;
  std::vector<WaitingAxiom> axioms_waiting_;
  std::vector<WaitingMissed> missed_waiting_;
  std::unordered_map<ClauseId, Axiom> axioms_;
  std::vector<ClauseId> missed_;  // lemmas
};

}  // namespace assay

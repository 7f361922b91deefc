// The clauses that a search adds, each with the reason why it holds.
//
// Adding a clause over assigned variables makes the solver backtrack to level 0, which would change the
// current execution while it is being checked. So clauses wait here until the check is finished.
//
// A proof of a violation justifies each axiom that it uses by the recorded reason (check/refutation.cpp).
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "encoding/choices.h"

namespace assay {

// Why an axiom holds: the rule that a proof states or uses for it.
//   Candidates         the open read `op` is from one of its candidate writers, or its transaction does not
//                      count
//   Implies            `op` is not from `txn`, or txn counts (or its conditional write took place)
//   Shows              the list read `op` shows an element of `txn`: its reader does not count, or txn does
//   NotFrom            `op` is not from the candidate with number `candidate`
//   Overwritten        if the writer of `op` is before txn, the reader is before txn too; unconditionally if
//                      op is from the initial transaction
//   Matched, Unmatched `write` is a conditional write. It took place only if it read a version that matches,
//                      and did not only if it read one that does not. With a candidate: if it read this one,
//                      it had the outcome that this one implies
//   Exclusive          `from` and `txn` do not overlap if their conditional writes of `key` took place
//   TooMany, TooFew    of these conditional writes of one statement not all took place, or some did
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

  // Adds the fact that the read, which returned an initial version, precedes this writer of its key.
  void add_fact(std::uint32_t read, TxnId overwriting) { facts_waiting_.push_back({read, overwriting}); }
  void add_axiom(std::vector<Lit> literals, const Axiom& axiom) {
    axioms_waiting_.push_back({std::move(literals), axiom});
  }
  // psi: forbids a path of edges from an overwriting transaction to the reader that missed its version. This
  // is not a lemma of the acyclicity theory, which knows nothing of reads. The reasons are the edges of the
  // path, and then the read: its index in ReadFacts::reads, or for an open read the size of that plus its
  // index in ReadFacts::open.
  void add_missed(std::vector<Lit> literals, std::vector<std::uint32_t> reasons) {
    missed_waiting_.push_back({std::move(literals), std::move(reasons)});
  }
  bool is_waiting() const { return !facts_waiting_.empty() || !axioms_waiting_.empty(); }

  // Adds the waiting facts to the solver; each becomes a variable that is always true.
  void state_facts();
  // Adds the waiting clauses to the solver. Returns whether there were any.
  bool state_clauses();

  const Axiom& axiom(ClauseId id) const { return axioms_.at(id); }
  // Whether the lemma is a cycle of edges, rather than a path that psi forbids.
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
  std::vector<ClauseId> missed_;  // the lemmas of add_missed()
};

}  // namespace assay

// The variables of a search: what each one means, the edges that its literals activate, and why.
//
// One variable represents one choice, and each of its literals activates a set of edges (as in Vbox). So
// there are as many variables as choices, not as edges. `OrderChoices` and `VersionChoices` decide which
// variables exist. They make one when the current execution violates a constraint that it settles; most are
// never made.
#pragma once

#include "encoding/search_problem.h"
#include "solver/acyclicity.h"
#include "solver/solver.h"

namespace assay {

struct Choice {
  // What the positive literal says: a supposition, or an edge that this rule would conclude. s(t) is the
  // snapshot of a transaction, c(t) its commit.
  //   Suppose      c(first) < c(second)
  //   Overwritten  s(first) < c(second)
  //   Exclusive    c(first) < s(second)
  //   From         open read `read` is from `version`, which `first` wrote (none: the initial transaction)
  //   Counts       `first`, whose outcome is unknown, counts
  //   Took         conditional write `read` took place
  Rule rule;
  TxnId first{}, second{};
  std::uint32_t read = 0;
  VersionId version{};
  bool is_fact = false;  // always true: a reader of an initial version comes before a writer
};

class Choices {
 public:
  Choices(const SearchProblem& problem, Acyclicity& theory, Solver& solver)
      : facts_(problem.facts), known_(problem.known), theory_(theory), solver_(solver) {}

  // Makes a variable. `causes` are the causes of the edges, those of `if_true` first. The search tries the
  // preferred value first; without one, the value that agrees with the current order.
  Var add(const Choice& choice, std::span<const Edge> if_true, std::span<const Edge> if_false,
          std::span<const EdgeCause> causes, std::optional<bool> preferred = {});
  // The same for a choice of which only the positive literal activates an edge.
  Var add(const Choice& choice, Edge if_true, EdgeCause cause, std::optional<bool> preferred = {}) {
    return add(choice, std::span(&if_true, 1), {}, std::span(&cause, 1), preferred);
  }

  const Choice& operator[](Var var) const { return choices_[var]; }
  std::size_t size() const { return choices_.size(); }
  bool is_true(Lit literal) const { return solver_.is_true(literal); }
  bool is_decided(Var var) const { return solver_.is_assigned(var); }

  // The cause of an edge, known or activated by a literal.
  EdgeCause cause(std::uint32_t edge) const {
    return edge < known_.edges.size() ? known_.causes[edge] : causes_[edge - known_.edges.size()];
  }
  // The keys that the choices are about, sorted.
  std::vector<KeyId> keys() const;

 private:
  const ReadFacts& facts_;
  const KnownGraph& known_;
  Acyclicity& theory_;
  Solver& solver_;
  std::vector<Choice> choices_;    // by variable
  std::vector<EdgeCause> causes_;  // of the edges that literals activate
};

}  // namespace assay

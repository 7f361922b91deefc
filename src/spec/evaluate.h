// Judges specifications on small histories by their words: sets of rows, loops over everything.
//
// This is the reference that the SAT encoding is held against, and what every printed witness is checked
// with, so each construct is written as the definition reads. Time is exponential in the witnesses.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "spec/finite_history.h"

namespace assay::spec {

class Evaluator {
 public:
  // `witnesses` in the order of their declaration; rows of an indexed one begin with the object.
  Evaluator(const FiniteHistory& history, std::span<const Rows> witnesses)
      : h_(history), witnesses_(witnesses) {}

  bool holds(const Node& formula);
  Rows rows(const Node& relation);

  void bind(std::size_t variable, std::uint32_t value) { bound_[variable] = value; }

  // Of a formula that does not hold: what its outermost universal variables must be for that, and the part
  // that fails then.
  struct Failure {
    std::vector<std::pair<Variable, std::uint32_t>> where;
    const Node* part;
  };
  Failure why_not(const Node& formula);

 private:
  using Bindings = std::map<std::size_t, std::uint32_t>;
  bool for_all(std::span<const Variable> variables, const std::function<bool()>& body);
  std::vector<std::uint32_t> domain(const Variable& variable);
  bool within(const Node& node);
  Rows join(const Rows& left, const Rows& right);
  static Rows closure(Rows rows);
  Rows comprehension(const Node& node);
  Rows fixpoint(const Node& node);

  Rows compute(const Node& relation);

  const FiniteHistory& h_;
  std::span<const Rows> witnesses_;
  Bindings bound_;
  std::map<const Node*, Rows> closed_;  // relations that no variable changes
  std::map<std::size_t, Rows> fixpoints_;
};

// Whether these witnesses are of the declared kinds and satisfy axioms and formula. `failed` is told which
// condition does not hold: an axiom's number, or axioms.size() for the formula; it is left alone for a wrong
// kind.
bool satisfies(const Specification& spec, const FiniteHistory& history, std::span<const Rows> witnesses,
               std::optional<std::size_t>* failed = nullptr);

// Calls with every choice of witnesses of the declared kinds, until told to stop by false. An axiom `r in w`
// or `w in r` bounds the relations that are tried. False: there are more than `most`.
bool for_each_witness(const Specification& spec, const FiniteHistory& history, std::size_t most,
                      const std::function<bool(const std::vector<Rows>&)>& visit);

// Whether some choice of writers and witnesses satisfies the level; nothing if there are more than `most`.
// `tried` is told how many there were.
std::optional<bool> allows_by_enumeration(const Specification& spec, const HistoryFacts& facts,
                                          std::size_t most = SIZE_MAX, std::size_t* tried = nullptr);

}  // namespace assay::spec

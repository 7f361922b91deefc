// The origin of every clause, recorded so that a refutation can be checked independently.
//
// Clauses are numbered in the order of their creation. An axiom is given by the caller. A lemma is a conflict
// that the theory reported, with the theory's reasons. A learned clause follows from its antecedents by
// reverse unit propagation: when all its literals are false, each antecedent in turn has one literal left,
// which it implies, and the last antecedent has none.
#pragma once

#include <span>
#include <vector>

#include "solver/literal.h"

namespace assay {

using ClauseId = std::uint32_t;

class Derivations {
 public:
  enum class Kind : std::uint8_t { Axiom, Lemma, Learned };

  ClauseId add(Kind kind, std::span<const Lit> literals, std::span<const std::uint32_t> grounds) {
    steps_.push_back({kind, static_cast<std::uint32_t>(literals_.size()),
                      static_cast<std::uint32_t>(literals.size()), grounds_.size(),
                      static_cast<std::uint32_t>(grounds.size())});
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    grounds_.insert(grounds_.end(), grounds.begin(), grounds.end());
    return static_cast<ClauseId>(steps_.size() - 1);
  }

  std::size_t size() const { return steps_.size(); }
  Kind kind(ClauseId id) const { return steps_[id].kind; }
  std::span<const Lit> literals(ClauseId id) const {
    return {literals_.data() + steps_[id].literals, steps_[id].literal_count};
  }
  // The reasons of a lemma, or the antecedents of a learned clause.
  std::span<const std::uint32_t> grounds(ClauseId id) const {
    return {grounds_.data() + steps_[id].grounds, steps_[id].ground_count};
  }

 private:
  struct Step {
    Kind kind;
    std::uint32_t literals, literal_count;
    std::size_t grounds;
    std::uint32_t ground_count;
  };
  std::vector<Step> steps_;
  std::vector<Lit> literals_;
  std::vector<std::uint32_t> grounds_;
};

}  // namespace assay

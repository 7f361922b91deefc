// Translates literals of the search into suppositions of a proof, and keeps those of the open scope.
//
// A clause is proved by contradiction: all its literals are supposed to be false.
#pragma once

#include <vector>

#include "encoding/write_order.h"
#include "verdict/proof_builder.h"

namespace assay {

class SupposedLiterals {
 public:
  struct Supposed {
    Lit literal;
    LineId line;
  };

  SupposedLiterals(const ReadFacts& facts, const WriteOrder& search, const Points& points,
                   ProofBuilder& proof)
      : facts_(facts), search_(search), points_(points), proof_(proof) {}

  Literal meaning(Lit literal) const;
  // Facts are variables that are always true, so they need no supposition.
  bool is_fact(Lit literal) const { return search_.choice(literal.var()).is_fact; }
  bool is_fact(ClauseId id) const;
  std::size_t choices_in(ClauseId id) const;

  // Supposes the negation of each literal of the clause. Facts that the lines inside need must have been
  // stated before.
  void suppose_not(ClauseId id);
  // Whether the last clause needed no supposition because all negations were established. Then the
  // contradiction is complete.
  bool is_concluded() const { return is_concluded_; }
  const std::vector<Supposed>& all() const { return supposed_; }
  LineId line(Lit literal) const;
  // The line of the supposed literal whose choice has this rule; 0 if there is none.
  LineId line(Rule rule) const;

 private:
  const ReadFacts& facts_;
  const WriteOrder& search_;
  const Points& points_;
  ProofBuilder& proof_;
  std::vector<Supposed> supposed_;
  bool is_concluded_ = false;
};

}  // namespace assay

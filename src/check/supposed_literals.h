// What the literals of a search say in the words of a proof, and which of them its open scope supposes.
//
// To prove a clause its contrary is supposed: each of its literals is false. That leads to a contradiction.
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
  // Facts are variables that are always true; nobody has to suppose them.
  bool is_fact(Lit literal) const { return search_.choice(literal.var()).is_fact; }
  bool is_fact(ClauseId id) const;
  std::size_t choices_in(ClauseId id) const;

  // Supposes the contrary of a clause. Facts that the lines inside need must have been stated before.
  void suppose_not(ClauseId id);
  // The clause was refuted without supposing anything: all was known.
  bool is_concluded() const { return is_concluded_; }
  const std::vector<Supposed>& all() const { return supposed_; }
  LineId line(Lit literal) const;
  // The line of what is supposed by a choice with this rule; 0: nothing is.
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

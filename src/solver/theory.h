// The seam between the search and what its literals mean.
//
// The solver tells the theory each literal that became true, in the order of the trail, and takes them back
// last in, first out. The theory objects when literals that are true cannot be true together.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/literal.h"

namespace assay {

struct TheoryConflict {
  std::vector<Lit> literals;           // all true, the one just assigned among them
  std::vector<std::uint32_t> reasons;  // the theory's own account of it, kept with the lemma
};

class Theory {
 public:
  virtual ~Theory() = default;
  // False: `conflict` is filled, and the literal has not been taken in.
  virtual bool assign(Lit literal, TheoryConflict& conflict) = 0;
  virtual void unassign(Lit literal) = 0;  // the last one taken in
  // The literal to try when it is this variable's turn: one of its own, or of another one that has no value
  // yet.
  virtual Lit preferred(Var var) const = 0;
  // False: with the literals taken in, either value would do, and it may be left without.
  virtual bool needs_value(Var) const { return true; }
};

}  // namespace assay

// The interface between the solver and the meaning of its literals.
//
// The solver assigns to the theory each literal that becomes true, in the order of the trail, and unassigns
// them last in, first out. The theory reports a conflict when the assigned literals cannot all be true.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/literal.h"

namespace assay {

struct TheoryConflict {
  std::vector<Lit> literals;           // all of them true; the one just assigned is among them
  std::vector<std::uint32_t> reasons;  // in the theory's own numbering; kept with the lemma
};

class Theory {
 public:
  virtual ~Theory() = default;
  // Returns false when the literal conflicts with those assigned before. Then `conflict` is filled, and the
  // literal does not count as assigned.
  virtual bool assign(Lit literal, TheoryConflict& conflict) = 0;
  virtual void unassign(Lit literal) = 0;  // the last one assigned
  // The literal to try when the solver decides on this variable: one of the variable itself, or of another
  // variable that has no value yet.
  virtual Lit preferred(Var var) const = 0;
  // False: either value would do, given the assigned literals, so the solver need not decide on the variable.
  virtual bool needs_value(Var) const { return true; }
};

}  // namespace assay

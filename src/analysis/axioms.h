// Axioms of the specification language over vis and ar, as formulas about a few transactions.
//
// The transactions that a question names are a part of an execution, so only what holds of every part can be
// used: statements about all transactions. Those are instantiated at the transactions and rows at hand. What
// says that another transaction exists (`some` in a conclusion, a join, a closure there) or depends on what
// reads return is refused with its place, never left out. In a premise the same constructs are fine: fewer
// instances make a weaker axiom.
#pragma once

#include <map>

#include "analysis/encoding.h"
#include "base/result.h"
#include "spec/core.h"

namespace assay::analysis {

// What the axioms speak about. Objects are rows.
class AxiomSubject {
 public:
  virtual ~AxiomSubject() = default;
  virtual std::size_t transactions() const = 0;
  virtual std::size_t objects() const = 0;
  virtual z3::expr exists(std::size_t t) = 0;
  virtual z3::expr vis(std::size_t s, std::size_t t) = 0;  // of different transactions, as all of these
  virtual z3::expr ar(std::size_t s, std::size_t t) = 0;
  virtual z3::expr so(std::size_t s, std::size_t t) = 0;
  virtual z3::expr writes(std::size_t object, std::size_t t) = 0;
};

// The formula, instantiated at everything that the subject has.
Result<z3::expr> instantiated(const spec::Node& formula, const spec::Specification& specification,
                              AxiomSubject& subject, z3::context& z);

// What sessions are, for the relation `so` of a subject: chains.
z3::expr sessions_are_chains(AxiomSubject& subject, z3::context& z);

}  // namespace assay::analysis

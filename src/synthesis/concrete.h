// One history against one specification: is there a witness, and if there is none, a proof of that.
//
// The history's facts are constants, so most of the specification is decided while it is translated. Where a
// value was written more than once, each read has a choice of writers.
#pragma once

#include "spec/evaluate.h"
#include "synthesis/search.h"

namespace assay::synthesis {

struct ConcreteAnswer {
  enum class Kind { Allowed, Forbidden, Stopped } kind;
  Solution::Explanation explanation{};  // of Allowed
  std::vector<Clause> clauses{};        // of Forbidden: what cannot be satisfied
};
ConcreteAnswer allows(const spec::Specification& spec, const spec::HistoryFacts& facts,
                      const Stop& stop = {});

// Orders are found over all transactions; leaves what is within their domains.
void cut_to_domains(const Problem& problem, Solution& solution);

// How it was made sure that no witness allows the history.
struct Refutation {
  std::size_t witnesses = 0;  // that were all tried; 0: there are too many, and a proof was checked instead
};
// Judges the solution again, without the encoding that found it: allowed levels by the evaluator; forbidden
// ones by it too where witnesses can be enumerated, otherwise by a proof that our own checker accepts. An
// error is a bug of ours.
Result<std::vector<Refutation>> confirm(const Problem& problem, const Solution& solution);

}  // namespace assay::synthesis

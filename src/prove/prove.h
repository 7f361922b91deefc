// Inclusion of levels for histories of every size, by Z3.
//
// "A allows only what B allows" is proved by giving witnesses of B as terms over those of A, and proving,
// with transactions without a bound, that A's axioms and formula imply each of B's. Terms are those of
// spec/builtin/instances.spec, A's own witnesses where both declare the same, and the guesses of B. Where no
// terms are found nothing is claimed. Each obligation is SMT-LIB text, for a second solver.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "spec/core.h"

namespace assay::prove {

struct ProveOptions {
  bool sessions = true, blind_writes = true, repeatable_reads = true;  // of which histories
  unsigned effort = 5'000'000;  // of Z3 for one obligation, in its own units
  bool thorough = true;         // false: only a fiftieth of that, for many questions at once
  std::function<std::optional<std::string>()> stop{};
};

struct Obligation {
  std::string name;  // the condition of B that is proved
  std::string smt;   // unsatisfiable
};

struct InclusionProof {
  std::string witnesses;  // `ar = co, vis = prefix_of_writers(co)`
  std::vector<Obligation> obligations;
};

// Nothing: no proof was found. An error: one of them says what cannot be said in logic.
Result<std::optional<InclusionProof>> prove_inclusion(const spec::Specification& first,
                                                      const spec::Specification& second,
                                                      const ProveOptions& options);

}  // namespace assay::prove

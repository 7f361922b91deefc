// Looks for a proof by going through all cases: whom each read is from, which unknown transactions took
// effect, which of two writers of a key came first.
//
// For tiny histories of registers, at every level. Each case is refuted by all that follows in it, and what
// is learnt from the cases of one question refutes the question: so the proofs use every kind of line, and
// the search shows that the rules of docs/certificates.md suffice. It knows the rules by itself, and writes
// with ProofBuilder.
#pragma once

#include <optional>

#include "history/history.h"
#include "isolation/level.h"
#include "verdict/proof_builder.h"

namespace assay::test {

struct CaseProverOptions {
  std::int64_t skew = 0;
  bool outcomes_first = false;  // ask which transactions took effect before whom a read is from
  bool one_by_one = false;      // ask of each writer whether a read is from it, not which one it is from
  bool snapshots_too = false;   // ask for the order of snapshots and commits before that of commits
};

std::optional<Proof> find_proof_by_cases(const History& history, Level level, CaseProverOptions options = {});

// For adapt().
ProofBuilder builder_for(const History& history, Level level);

}  // namespace assay::test

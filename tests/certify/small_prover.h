// Looks for a proof by trying every line that the rules might allow, and believing only certify().
//
// For tiny histories of unique values: an engine that shows whether the rules of docs/certificates.md
// suffice to refute what the levels forbid. Suppositions are tried one at a time.
#pragma once

#include <optional>

#include "history/history.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay::test {

std::optional<Proof> find_proof(const History& history, Level level);

}  // namespace assay::test

// The levels as who sees whom (after Cerone, Bernardi and Gotsman, "A framework for transactional
// consistency models with atomic visibility"): a second opinion on the axioms of commit_order.h.
#pragma once

#include "oracle/model.h"
#include "oracle/oracle.h"

namespace assay::oracle {

// Whether there are an arbitration order of the transactions and, for each, a set of earlier ones that
// it sees, such that every read returned the latest version in that set. What the sets must
// contain is the level: pl_2, mav, rc, plain_ra, ra, cc, pc, psi, si or ser.
bool has_visibility(const Model& model, Level level);

}  // namespace assay::oracle

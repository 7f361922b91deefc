// The levels as axioms over a commit order (Biswas and Enea, "On the complexity of checking
// transactional consistency"; the psi axiom of levels.md has the same form).
#pragma once

#include "oracle/model.h"
#include "oracle/oracle.h"

namespace assay::oracle {

// The session guarantees (Terry et al. 1994), each as the one step that puts a write into a reader's view.
enum class Guarantee : std::uint8_t {
  None,
  ReadYourWrites,
  MonotonicReads,
  MonotonicWrites,
  WritesFollowReads
};

struct CommitOrderAxioms {
  Level axiom;  // pl_2, rc, ra, cc, pc, psi, si or ser
  bool session_order = true;
  Guarantee guarantee = Guarantee::None;  // instead of the axiom; what is read again is the same version
};

// Whether some commit order, and some writer for each read, obey the axiom.
bool has_commit_order(const Model& model, CommitOrderAxioms axioms);

}  // namespace assay::oracle

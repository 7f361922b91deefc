// The story of a proof: the cycle at its end, and the reasons behind the edges of the cycle.
//
// A proof is a list of lines for a checker of proofs; people want the cycle first. Each line that orders two
// transactions is told as a dependency:
//
//   - `missed` and `exclusive` are orders of writers, with the path they rest on as the reason;
//   - a refuted supposition is the opposite order, with the cycle it leads to as the reason;
//   - a clause of several suppositions is never told as such. Where the proof uses it, all but one of the
//   suppositions are
//     known, or all are: the cycle that refuted them is told again, with what is known in the place of the
//     suppositions. So every contradiction is one cycle.
//
// A cycle is told with as few inferred orders of writers as possible: where reader R missed A, "A wrote
// before W" is only true because the cycle would close otherwise, so it becomes "R read from W, which A
// overwrote", the anti-dependency everyone looks for.
//
// Telling again can multiply; after kMostSteps dependencies reasons are left out. Proofs of minimal parts are
// far below.
#pragma once

#include "explain/explanation.h"
#include "explain/words.h"
#include "verdict/proof.h"

namespace assay {

inline constexpr std::size_t kMostSteps = 2000;

// The cycle at the end of a proof that does not end in a wrong read.
std::vector<Dependency> tell_proof(const History& history, const Words& words, Level level,
                                   const Proof& proof);

}  // namespace assay

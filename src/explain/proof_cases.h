// The story of a proof: one cycle, or where it is not known whom a read is from, the cycle of each case.
//
// A proof comes from a search that jumps about and learns; people follow cases. So the lemmas of the proof
// (proof_outline.h) are put together again. With the cases that are open at some place:
//
//   - a lemma whose premises are all known is told: it is the cycle, or one more edge that is known;
//   - an order of points whose contrary leads to a cycle so is known, with that cycle as the reason;
//   - when nothing more follows, the read is asked about that leaves the fewest cases open; and when all are
//   decided, an
//     order: that is a reason again, not a case.
//
// A case that no cycle below it rests on is not told. So every contradiction is one cycle within its case. No
// case is made of whether a transaction of unknown outcome took effect: it did where a read is from it, and
// elsewhere its absence refutes nothing.
//
// The parts that are told are minimal, and so are the trees. In theory they are exponential; after kMostSteps
// dependencies have been told, the reasons of orders are left out.
#pragma once

#include "explain/proof_story.h"

namespace assay {

inline constexpr std::size_t kMostSteps = 20'000;

struct Story {
  Steps edges;  // the cycle; where there are cases, of all of them, each once
  std::shared_ptr<const Cases> cases{};
};

// Of a proof that does not end in a wrong read.
Story tell_proof(const History& history, const Words& words, Level level, const Proof& proof);

}  // namespace assay

// Turns a proof into one cycle, or, where a read has several candidate writers, into cases that end in
// cycles.
//
// A proof comes from a search that jumps about and learns clauses. People follow a distinction of cases. So
// this file derives the contradiction again, from the lemmas of the proof (proof_outline.h), and keeps track
// of what is known in the current case:
//
//   - A lemma whose premises are all known yields the cycle, or one more known edge.
//   - If assuming an order of two points leads to a cycle, the opposite order is known, with that cycle as
//     its reason.
//   - When nothing more follows, the read whose cases leave the fewest open is split into cases. When all
//     reads are decided, an order is: that becomes a reason, not a case.
//
// A case disappears if the contradiction found in it does not depend on its assumption. So every
// contradiction is one cycle within its case. There are no cases for a transaction of unknown outcome: if a
// read is from it, it took effect, and otherwise its absence refutes nothing.
//
// Explained parts are minimal, so the trees are small; in theory they are exponential. After kMostSteps
// dependencies, the story omits the reasons of orders.
#pragma once

#include "explain/proof_story.h"

namespace assay {

inline constexpr std::size_t kMostSteps = 20'000;

struct Story {
  Steps edges;  // the cycle; with cases, the edges of all their cycles, each once
  std::shared_ptr<const Cases> cases{};
};

// Requires a proof that does not end in a wrong read.
Story tell_proof(const History& history, const Words& words, Level level, const Proof& proof);

}  // namespace assay

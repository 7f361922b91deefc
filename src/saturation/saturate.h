// What follows about the order of points before anything is chosen.
//
// Three rules, to a fixpoint. Where r reads x from w, and a is another writer of x:
//   missed       c(a) reaches s(r), so a's version was there and is not the one seen:  c(a) < c(w)
//   overwritten  c(w) reaches c(a), so a's version is newer and was not there:         s(r) < c(a)
//   exclusive    s(w) reaches c(a), where writers of a key do not overlap:             c(w) < s(a)
// (with exclusive writers `missed` ends in s(w), and `overwritten` begins with s(w)). At psi `overwritten` holds only
// where r writes x too. Of each chain only the last writer that reaches the point in question is asked about, since the
// earlier ones precede it; of these, one that reaches the last of them all is passed over for the same reason; and no
// edge is made that the clocks imply. After the first round only points whose clock changed are asked again.
//
// Cost of a round: O(k log) per read and write looked at, O(nodes + edges) for the clocks. Paths behind
// derived edges are not kept: an edge is justified by edges with smaller numbers, where they can be found again.
#pragma once

#include <functional>

#include "dependency/points.h"

namespace assay {

struct Saturation {
  enum class End : std::uint8_t {
    Fixpoint,  // nothing more follows
    Cycle,     // `cycle`: the level is violated
    Stale,     // `overwriting` reaches `read`, which saw the initial version: the level is violated
    Declined,  // too many chains for the memory it may use
    Stopped,
  };
  End end;
  std::vector<std::uint32_t> cycle;  // numbers of edges
  std::uint32_t read = 0;            // its place among the facts
  TxnId overwriting{};
  std::size_t justified = 0;  // edges before this number form no cycle and justify all others
  std::size_t rounds = 0;
  std::string chains;  // for those who ask
};

// Adds what it derives to `known`, which has no cycle.
Saturation saturate(const History& history, const ReadFacts& facts, const VersionIndex& versions, const PointRules& rules,
                    KnownGraph& known, const std::function<bool()>& stop);

}  // namespace assay

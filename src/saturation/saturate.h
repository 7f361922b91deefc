// Saturation: derives the order of points that follows from the reads before the search makes a choice.
//
// Three rules are applied up to a fixpoint. Let r read x from w, and let a be another writer of x. The
// snapshot of a transaction t is s(t), its commit c(t):
//   missed       c(a) reaches s(r), so r could see a's version and read w's instead:   c(a) < c(w)
//   overwritten  c(w) reaches c(a), so a's version is newer and r did not see it:      s(r) < c(a)
//   exclusive    s(w) reaches c(a), at levels where writers of a key do not overlap:   c(w) < s(a)
// With exclusive writers, `missed` concludes c(a) < s(w), and s(w) is enough as the premise of `overwritten`.
// At psi, `overwritten` holds only if r writes x too. open_reads.h has the rules for open reads.
//
//     rule_state    the clocks, and which writers reach a point
//     open_reads    the rules for open reads, and for conditional writes
//     changed_keys  the keys to examine again in the rounds after the first
//     key_rules     the three rules, for one read or one write
//     saturate      the rounds: which keys and points are examined
//
// After the first round, only points whose clock changed are examined again. Not all keys need saturation: an
// order that explains the reads of a key has no need of its rules. So the caller names keys when an order
// breaks them, and the fixpoint is one for the keys named so far. Saturation does not use its decisions about
// conditional writes. The caller that asks for them begins anew with these writes as certain.
//
// Cost of a round: O(k log n) for each examined read and write, with k chains, and O(nodes + edges) for the
// clocks. The path that justifies a derived edge is not stored: it has edges with smaller numbers only, among
// which it can be found again.
#pragma once

#include "base/budget.h"
#include "saturation/changed_keys.h"
#include "saturation/key_rules.h"
#include "saturation/open_reads.h"

namespace assay {

struct Saturation {
  enum class End : std::uint8_t {
    Fixpoint,  // nothing more follows
    Cycle,     // `cycle`: the level is violated
    Stale,     // `overwriting` reaches `read` of the initial version: the level is violated
    NoWriter,  // open read `read` has no candidate left: the level is violated
    Stopped,   // the budget is spent
  };
  End end;
  std::vector<std::uint32_t> cycle;  // numbers of edges
  std::uint32_t read = 0;            // its index among the known or open reads
  TxnId overwriting{};
  std::size_t justified = 0;  // edges before this number form no cycle and justify all others
};

// Runs the rounds of saturation.
class Saturator {
 public:
  // Adds the derived edges to `known`, which must be acyclic.
  Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
            const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget);
  Saturator(const Saturator&) = delete;
  Saturator& operator=(const Saturator&) = delete;

  // Whether the clocks of these chains fit into their share of the remaining memory.
  static bool fits(const TxnChains& chains, const KnownGraph& known, const Budget& budget);

  // Derives what follows from the reads and writes of these keys and of all keys named before. Must not be
  // called again after any end but a fixpoint. `order` must agree with the edges known before. The nearer it
  // is to the edges that will follow, the better.
  Saturation look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order);

  // Decides conditional writes by what is known now (KnownGraph::decided).
  void decide_conditional_writes() { open_.decide_conditional_writes(); }
  // Adopts open reads that were added to the facts. The next look_at() examines them.
  void take(const MovedReads& moved);
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader) {
    return open_.possible_versions(key, reader);
  }

  std::size_t rounds() const { return rounds_; }
  // What reaches what, after a fixpoint.
  const Clocks& clocks() const { return s_.clocks; }

 private:
  Saturation ended(Saturation::End end);
  bool go_on();  // returns false, and ends as Stopped, if the budget is spent
  bool look_at_keys(std::span<const KeyId> keys);
  void fetch_for(std::size_t i) const;
  bool look_at_late_reads();
  bool look_at_changed();
  bool look_at_point(std::uint32_t node);
  bool look_at_open_read(std::uint32_t read);

  RuleState s_;
  OpenReadRules open_;
  ChangedKeys keys_;
  KeyRules rules_;
  Budget& budget_;
  Saturation result_{};
  std::size_t rounds_ = 0;
  struct InOrder {
    std::uint32_t place;  // in the order of the clocks
    VersionId version;
    TxnId writer;
  };
  std::vector<InOrder> in_order_;          // of the current key
  std::vector<std::uint32_t> late_reads_;  // indices of open reads to examine
};

}  // namespace assay

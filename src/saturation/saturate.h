// What follows about the order of points before anything is chosen.
//
// Three rules, to a fixpoint. Where r reads x from w, and a is another writer of x:
//   missed       c(a) reaches s(r), so a's version was there and is not the one seen:  c(a) < c(w)
//   overwritten  c(w) reaches c(a), so a's version is newer and was not there:         s(r) < c(a)
//   exclusive    s(w) reaches c(a), where writers of a key do not overlap:             c(w) < s(a)
// (with exclusive writers `missed` ends in s(w), and `overwritten` begins with s(w)). At psi `overwritten`
// holds only where r writes x too. open_reads.h has the rules for reads with several possible writers.
//
//     rule_state    the clocks, and who reaches a point
//     open_reads    the rules for open reads, and for conditional writes
//     changed_keys  what to look at again in the rounds after the first
//     key_rules     the three rules, for one read or one write
//     saturate      the rounds: which keys and points are looked at
//
// After the first round only points whose clock changed are asked again. It need not be done for all keys: an
// order that explains the reads of a key has no need of its rules. The caller names keys as they get into the
// way; what holds for those named so far is a fixpoint. What is found out about conditional writes is not
// used here: whoever asked for it begins anew with what was decided as certain.
//
// Cost of a round: O(k log) per read and write looked at, O(nodes + edges) for the clocks. Paths behind
// derived edges are not kept: an edge is justified by edges with smaller numbers, where they can be found
// again.
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
    Stale,     // `overwriting` reaches `read`, which saw the initial version: the level is violated
    NoWriter,  // open read `read` is from none of its possible writers: the level is violated
    Stopped,   // the budget is spent
  };
  End end;
  std::vector<std::uint32_t> cycle;  // numbers of edges
  std::uint32_t read = 0;            // its place among the facts
  TxnId overwriting{};
  std::size_t justified = 0;  // edges before this number form no cycle and justify all others
};

// The rounds of saturation.
class Saturator {
 public:
  // Adds what it derives to `known`, which has no cycle.
  Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
            const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget);
  Saturator(const Saturator&) = delete;
  Saturator& operator=(const Saturator&) = delete;

  // Whether the clocks of these chains fit into the memory that is left.
  static bool fits(const TxnChains& chains, const KnownGraph& known, const Budget& budget);

  // What follows from the reads and writes of these keys and of those named before. After any other end than
  // a fixpoint, it cannot go on. `order`: one that agrees with what was known before, and is best near to
  // what will follow.
  Saturation look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order);

  // With what is known, and for the next call of look_at().
  void decide_conditional_writes() { open_.decide_conditional_writes(); }
  // Open reads have been added to the facts: they are looked at next.
  void take(const MovedReads& moved);
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader) {
    return open_.possible_versions(key, reader);
  }

  std::size_t rounds() const { return rounds_; }

 private:
  Saturation ended(Saturation::End end);
  bool go_on();  // false: it must end as Stopped
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
    std::uint32_t place;  // in the order at hand
    VersionId version;
    TxnId writer;
  };
  std::vector<InOrder> in_order_;          // of the key at hand
  std::vector<std::uint32_t> late_reads_;  // places of open reads that are to be looked at
};

}  // namespace assay

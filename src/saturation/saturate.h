// What follows about the order of points before anything is chosen.
//
// Three rules, to a fixpoint. Where r reads x from w, and a is another writer of x:
//   missed       c(a) reaches s(r), so a's version was there and is not the one seen:  c(a) < c(w)
//   overwritten  c(w) reaches c(a), so a's version is newer and was not there:         s(r) < c(a)
//   exclusive    s(w) reaches c(a), where writers of a key do not overlap:             c(w) < s(a)
// (with exclusive writers `missed` ends in s(w), and `overwritten` begins with s(w)). At psi `overwritten`
// holds only where r writes x too.
//
// Where r may be from several writers, one is out if s(r) reaches its commit, or if its commit reaches that
// of another writer of x which reaches s(r) (of the initial version: if any does). When only one is left, r
// is from it: c(w) < s(r), and the rules hold for it. This is asked again when what reaches the reader
// changes.
//
// A conditional write is decided when all versions that it may have met, as far as that is known, match, or
// none does. That is not used here: whoever asked for it begins anew with what was decided as certain.
//
// Of each chain only the last writer that reaches the point in question is asked about, since the
// earlier ones precede it; of these, one that reaches the last of them all is passed over for the same
// reason; and no edge is made that the clocks imply. After the first round only points whose clock changed
// are asked again.
//
// It need not be done for all keys: an order that explains the reads of a key has no need of its rules. The
// caller names keys as they get into the way; what holds for those named so far is a fixpoint.
//
// Cost of a round: O(k log) per read and write looked at, O(nodes + edges) for the clocks. Paths behind
// derived edges are not kept: an edge is justified by edges with smaller numbers, where they can be found
// again.
#pragma once

#include "base/budget.h"
#include "dependency/late_reads.h"
#include "dependency/points.h"
#include "graph/clocks.h"
#include "saturation/chains.h"

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

class Saturator {
 public:
  // Adds what it derives to `known`, which has no cycle.
  Saturator(const History& history, const ReadFacts& facts, const VersionIndex& versions,
            const PointRules& rules, KnownGraph& known, TxnChains chains, Budget& budget);

  // Whether the clocks of these chains fit into the memory that is left.
  static bool fits(const TxnChains& chains, const KnownGraph& known, const Budget& budget);

  // What follows from the reads and writes of these keys and of those named before. After any other end than
  // a fixpoint, it cannot go on. `order`: one that agrees with what was known before, and is best near to
  // what will follow.
  Saturation look_at(std::span<const KeyId> keys, std::span<const std::uint32_t> order);

  // With what is known: in the order at hand, so that what is decided helps those that come later.
  void decide_conditional_writes();

  // Open reads have been added to the facts: they are looked at next.
  void take(const MovedReads& moved);
  // The versions of a key that the reader may have seen, for all that is known. O(k log), and what they are.
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader);

  std::size_t rounds() const { return rounds_; }

 private:
  // A writer of the key in question, the last of its chain to reach the point in question.
  struct Candidate {
    TxnId txn;
    VersionId version;
  };

  Saturation ended(Saturation::End end);
  bool go_on();  // false: it must end as Stopped
  bool look_at_keys(std::span<const KeyId> keys);
  bool look_at_late_reads();
  void fetch_for(std::size_t i) const;
  bool look_at_readers(KeyId key, VersionId version, TxnId writer);
  bool look_at_changed();
  template <class FindRead>
  bool look_at_read(KeyId key, TxnId writer, TxnId reader, FindRead find_read);
  void find_seen(KeyId key, TxnId writer, TxnId reader);
  template <class FindOp>
  void put_after_missed(TxnId writer, FindOp find_op);
  bool look_at_open_read(std::uint32_t read);
  std::uint32_t exclude_writers(std::uint32_t read);
  void settle(std::uint32_t read, std::uint32_t candidate);
  void decide(const ConditionalWrite& write);
  void look_at_write(KeyId key, VersionId version, TxnId writer);
  bool has_many_news(std::uint32_t node, std::uint32_t keys) const;
  void mark_news(std::uint32_t node);
  void put_after_versions(VersionId version, TxnId writer);
  void put_after_readers(VersionId version, TxnId writer);
  template <class FindOp>
  void put_after_reader(TxnId reader, TxnId writer, FindOp find_op);
  template <class FindCause>
  void imply(std::uint32_t from, std::uint32_t to, FindCause find_cause);
  TxnId last_candidate() const;
  bool is_needed(TxnId candidate, TxnId last) const;
  std::uint32_t put_before(TxnId writer) const;
  std::uint32_t commits(std::uint32_t count) const { return count >> two_; }
  std::uint32_t snapshots(std::uint32_t count) const { return (count + two_) >> two_; }

  const History& h_;
  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  const std::uint32_t two_;  // 1 where a transaction has two points: their shift
  KnownGraph& known_;
  Budget& budget_;
  Points points_;
  ChainWriters writers_;
  const std::uint32_t txn_chains_;  // the chains of times come after these
  Clocks clocks_;
  Saturation result_{};
  std::size_t rounds_ = 0;
  std::vector<bool> named_;             // by key
  std::vector<std::uint32_t> nothing_;  // a clock that shows nobody
  std::vector<Candidate> candidates_;
  struct InOrder {
    std::uint32_t place;  // in the order at hand
    VersionId version;
    TxnId writer;
  };
  std::vector<InOrder> in_order_;  // of the key at hand
  std::vector<TxnId>
      earlier_;  // by version: a writer of the key that precedes it, or none; the later the better
  // Open reads of which one possible writer is left: a list per version.
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> first_settled_, next_settled_;  // by version; by open read
  std::vector<std::uint32_t> late_reads_;                    // places of open reads that are to be looked at
  std::vector<std::uint32_t> marks_;                         // by key
  std::uint32_t mark_ = 0;
};

}  // namespace assay

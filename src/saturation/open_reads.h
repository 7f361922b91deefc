// The rules about reads with several possible writers, and about conditional writes.
//
// One possible writer is out if s(r) reaches its commit, or if its commit reaches that of another writer of
// the key which reaches s(r) (the initial version is out if any does). When only one is left, the read is
// settled: it is from that writer, c(w) < s(r), and the other rules hold for it. This is asked again when
// what reaches the reader changes.
//
// A conditional write is decided when all versions that it may have met, as far as that is known, match, or
// none does.
#pragma once

#include "dependency/late_reads.h"
#include "saturation/rule_state.h"

namespace assay {

class OpenReadRules {
 public:
  explicit OpenReadRules(RuleState& state);

  // False: no possible writer is left.
  bool look_at(std::uint32_t read);
  // Calls visit(read) for each open read that was settled to be from this version.
  template <class Visit>
  void each_settled(VersionId version, Visit visit) const {
    if (first_settled_.empty()) return;
    for (std::uint32_t i = first_settled_[version.index()]; i != kNone; i = next_settled_[i])
      visit(s_.facts.open[i]);
  }

  // Open reads have been added to the facts, which moved others.
  void move(const MovedReads& moved);
  // The versions of a key that the reader may have seen, for all that is known. O(k log), and what they are.
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader);

  // In the order at hand, so that a decision helps those that come later.
  void decide_conditional_writes();

 private:
  std::uint32_t exclude_writers(std::uint32_t read);
  void settle(std::uint32_t read, std::uint32_t candidate);
  void put_before_overwriting(const OpenRead& read, TxnId writer);
  void decide(const ConditionalWrite& write);

  static constexpr std::uint32_t kNone = UINT32_MAX;

  RuleState& s_;
  std::vector<std::uint32_t> first_settled_, next_settled_;  // a list for each version; by open read
};

}  // namespace assay

// The rules for open reads and for conditional writes.
//
// A candidate writer of a read r is excluded if s(r), the reader's snapshot, reaches its commit. It is also
// excluded if its commit reaches the commit of another writer of the key that reaches s(r). The initial
// version is excluded if any writer of the key reaches s(r). When one candidate w is left, the read is
// settled: it is from w, so c(w) < s(r), and the other rules apply to it. All this is repeated when more
// points reach the reader.
//
// A conditional write is decided when all versions that it may still have met match its test, or none does.
#pragma once

#include "dependency/late_reads.h"
#include "saturation/rule_state.h"

namespace assay {

class OpenReadRules {
 public:
  explicit OpenReadRules(RuleState& state);

  // Applies the rules to an open read. Returns false if no candidate is left.
  bool look_at(std::uint32_t read);
  // Calls visit(read) for each open read that is settled to be from this version.
  template <class Visit>
  void each_settled(VersionId version, Visit visit) const {
    if (first_settled_.empty()) return;
    for (std::uint32_t i = first_settled_[version.index()]; i != kNone; i = next_settled_[i])
      visit(s_.facts.open[i]);
  }

  // Adopts the new indices of open reads after some were added to the facts.
  void move(const MovedReads& moved);
  // The versions of a key that the reader may have read, as far as the known order tells. O(k log n) for k
  // chains, plus their number.
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader);

  // Decides writes in the order of the clocks, so that a decision helps with later writes.
  void decide_conditional_writes();

 private:
  std::uint32_t exclude_writers(std::uint32_t read);
  void settle(std::uint32_t read, std::uint32_t candidate);
  void put_before_overwriting(const OpenRead& read, TxnId writer);
  void decide(const ConditionalWrite& write);

  static constexpr std::uint32_t kNone = UINT32_MAX;

  RuleState& s_;
  std::vector<std::uint32_t> first_settled_, next_settled_;  // a linked list for each version; by open read
};

}  // namespace assay

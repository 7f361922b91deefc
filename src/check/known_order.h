// The known order of points at a level: the edges that the history gives, and those that saturation derives.
//
// When saturation finds a contradiction, it ends with a verdict and its proof. Otherwise it adds edges that
// help guesses and the search.
#pragma once

#include <optional>

#include "check/judging.h"
#include "saturation/saturate.h"

namespace assay {

class KnownOrder {
 public:
  KnownOrder(Judging& judging, Level level, const PointRules& rules);
  // Adds assumed edges (assumption.h). Of the verdicts only those that hold count.
  KnownOrder(const KnownOrder& known, KnownGraph assumed);
  KnownOrder(const KnownOrder&) = delete;
  KnownOrder& operator=(const KnownOrder&) = delete;

  Level level() const { return level_; }
  const PointRules& rules() const { return rules_; }
  const KnownGraph& graph() const { return graph_; }
  const Points& points() const { return points_; }
  bool is_assumed() const { return is_assumed_; }

  // The verdict when the edges known from the start form a cycle.
  Verdict violated_from_the_start() const;
  // The verdict if the clocks alone refute a read (dependency/stale_in_time.h).
  std::optional<Verdict> violated_by_a_stale_read() const;

  // The verdict if more transactions update a key than there are versions that they can have read
  // (dependency/crowded_reads.h).
  std::optional<Verdict> violated_by_crowded_reads() const;

  // The smallest of the chain covers in saturation/chains.h.
  TxnChains chains() const { return fewest_chains(j_.history, *j_.facts.repeatable(), rules_, graph_); }
  // Builds clocks for these chains, unless they would not fit into memory.
  void prepare(TxnChains chains);
  bool can_derive() const { return saturator_.has_value(); }
  // Saturates these keys. `order` must be consistent with the known edges. Returns nothing if there is no
  // contradiction.
  std::optional<Verdict> derive(std::span<const KeyId> keys, std::span<const std::uint32_t> order);
  std::optional<Verdict> derive_all(std::span<const std::uint32_t> order);

  // Takes over reads that were added to the facts.
  void take(const MovedReads& moved);
  // The versions of a key that derived edges still allow the reader to have seen; all versions without a
  // saturator.
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader);
  // The conditional writes whose outcome follows from the known edges.
  std::vector<std::pair<OpId, bool>> decided_writes(std::span<const std::uint32_t> order);

 private:
  Verdict violated(const Saturation& result) const;

  Judging& j_;
  const Level level_;
  const PointRules rules_;
  const Points points_;
  KnownGraph graph_;
  const bool is_assumed_ = false;
  std::optional<Saturator> saturator_;
};

// The versions of a key, the initial one among them, whose transactions count.
std::vector<VersionId> all_versions(HistoryFacts& facts, KeyId key);

// A topological order of the known edges, as close to `near` as they allow. They must be acyclic.
std::vector<std::uint32_t> order_near(const KnownGraph& known, std::span<const std::uint32_t> near);

}  // namespace assay

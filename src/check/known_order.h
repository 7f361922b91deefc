// What is known of the order of points at a level: from the start, and what saturation derives from that.
//
// Saturation ends with a verdict where it finds a contradiction, with the proof of that. Otherwise it leaves
// more edges for the guesses and the search.
#pragma once

#include <optional>

#include "check/judging.h"
#include "saturation/saturate.h"

namespace assay {

class KnownOrder {
 public:
  KnownOrder(Judging& judging, Level level, const PointRules& rules);
  // With more edges than are known (assumption.h): of its verdicts only those that hold count.
  KnownOrder(const KnownOrder& known, KnownGraph assumed);
  KnownOrder(const KnownOrder&) = delete;
  KnownOrder& operator=(const KnownOrder&) = delete;

  Level level() const { return level_; }
  const PointRules& rules() const { return rules_; }
  const KnownGraph& graph() const { return graph_; }
  const Points& points() const { return points_; }
  bool is_assumed() const { return is_assumed_; }

  // What is known from the start forms a cycle.
  Verdict violated_from_the_start() const;

  // The fewest chains that cover the transactions.
  TxnChains chains() const { return fewest_chains(j_.history, *j_.facts.repeatable(), rules_, graph_); }
  // Makes clocks for these chains, unless they are too many.
  void prepare(TxnChains chains);
  bool can_derive() const { return saturator_.has_value(); }
  // Derives what follows from the reads and writes of these keys. Nothing: no contradiction. `order`: one
  // that agrees with what is known.
  std::optional<Verdict> derive(std::span<const KeyId> keys, std::span<const std::uint32_t> order);
  std::optional<Verdict> derive_all(std::span<const std::uint32_t> order);

  // Reads were added to the facts.
  void take(const MovedReads& moved);
  // The versions of a key that the reader may have seen, for all that has been derived; all if nothing has.
  std::vector<VersionId> possible_versions(KeyId key, TxnId reader);
  // Conditional writes of which all that is known says whether they took place.
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

// The versions of a key that count.
std::vector<VersionId> all_versions(HistoryFacts& facts, KeyId key);

// An order of all points that agrees with what is known, and with `near` where it can. There is one.
std::vector<std::uint32_t> order_near(const KnownGraph& known, std::span<const std::uint32_t> near);

}  // namespace assay

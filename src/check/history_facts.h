// The read facts of a history, computed when a level first needs them.
//
// There are two kinds of facts. At levels without repeatable reads (such as rc) each external read of a key
// is a fact. From ra up all external reads of a key in a transaction return one version, so only the first
// is a fact.
#pragma once

#include <optional>

#include "dependency/late_reads.h"
#include "dependency/version_index.h"
#include "isolation/level.h"
#include "verdict/proof_builder.h"

namespace assay {

class HistoryFacts {
 public:
  HistoryFacts(const History& history, Budget& budget) : h_(history), budget_(budget) {}
  HistoryFacts(const HistoryFacts&) = delete;
  HistoryFacts& operator=(const HistoryFacts&) = delete;

  const History& history() const { return h_; }
  Result<void> find(bool repeatable);
  // Nothing until find() has computed them.
  const std::optional<ReadFacts>& repeatable() const { return repeatable_; }
  const std::optional<ReadFacts>& each_read() const { return each_read_; }
  // The facts for a level; find() must have computed them.
  const ReadFacts& at(Level level) const;

  // An index of the repeatable facts, and late reads added to them.
  const VersionIndex& versions();
  MovedReads add(std::vector<LateRead> reads);

 private:
  const History& h_;
  Budget& budget_;
  std::optional<ReadFacts> repeatable_, each_read_;
  std::optional<VersionIndex> versions_;
};

// A builder of proofs at this level that uses these facts.
ProofBuilder proof_builder(const History& history, Level level, const ReadFacts& facts);

}  // namespace assay

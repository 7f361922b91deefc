// The facts of a history, found when a level first needs them.
//
// There are two kinds. At rc every external read of a key is a fact of its own. From ra up all of them in a
// transaction see one version, and the first stands for all.
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
  // Nothing: they have not been found.
  const std::optional<ReadFacts>& repeatable() const { return repeatable_; }
  const std::optional<ReadFacts>& each_read() const { return each_read_; }
  // Those of a level that has been judged.
  const ReadFacts& at(Level level) const;

  // Of the repeatable ones.
  const VersionIndex& versions();
  MovedReads add(std::vector<LateRead> reads);

 private:
  const History& h_;
  Budget& budget_;
  std::optional<ReadFacts> repeatable_, each_read_;
  std::optional<VersionIndex> versions_;
};

// Proofs at a level about these facts.
ProofBuilder proof_builder(const History& history, Level level, const ReadFacts& facts);

}  // namespace assay

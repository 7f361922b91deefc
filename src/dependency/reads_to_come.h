// Counts the reads of each version that are still to come while transactions run. A version should not be
// overwritten while it has some.
//
// An open read counts for the version that it will probably return.
#pragma once

#include <vector>

#include "dependency/ranks.h"

namespace assay {

class ReadsToCome {
 public:
  // Counts all reads of transactions that count.
  ReadsToCome(const History& history, const ReadFacts& facts, std::span<const std::uint32_t> rank,
              const KnownGraph* known)
      : facts_(facts), left_(facts.writes.size() + history.key_count() + facts.conditional.size()) {
    for (const ReadFact& read : facts.reads) ++left_[read.version.index()];
    expected_.resize(facts.open.size());
    for (const OpenRead& read : facts.open) {
      const VersionId likely = expected_[facts.place(read)] = likely_version(facts, read, rank, known);
      if (!likely.is_none() && facts.counts[read.reader.index()]) ++left_[likely.index()];
    }
  }

  std::uint32_t of(VersionId version) const { return left_[version.index()]; }
  // The transaction has read, or its reads are undone.
  void remove(TxnId t) { add(t, -1); }
  void put_back(TxnId t) { add(t, +1); }

  void fetch(VersionId version) const { __builtin_prefetch(&left_[version.index()]); }

 private:
  void add(TxnId t, int by) {
    for (const ReadFact& read : facts_.of(t)) left_[read.version.index()] += static_cast<std::uint32_t>(by);
    if (expected_.empty()) return;
    for (const OpenRead& read : facts_.open_of(t))
      if (const VersionId version = expected_[facts_.place(read)]; !version.is_none())
        left_[version.index()] += static_cast<std::uint32_t>(by);
  }

  const ReadFacts& facts_;
  std::vector<VersionId> expected_;  // by open read
  std::vector<std::uint32_t> left_;  // by version
};

}  // namespace assay

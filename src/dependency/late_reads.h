// Reads that are found out about late: when an execution turns out to break what they say.
//
// They join the open reads, so everything that was found out without them stays true: edges that follow from
// fewer reads follow from more. Where a reader has an open read of the key already, both are of one version,
// and that one is narrowed. Nobody can point to the operation of a late read, so what is refuted with their
// help is not proved: that takes a history that has them.
#pragma once

#include <vector>

#include "dependency/read_facts.h"

namespace assay {

struct LateRead {
  TxnId reader;
  KeyId key;
  std::vector<VersionId> candidates;  // of writers that count
};

// Where open reads and candidates stand now, by where they stood; kGone: nowhere.
struct MovedReads {
  static constexpr std::uint32_t kGone = UINT32_MAX;
  std::vector<std::uint32_t> open, candidates;
  std::vector<std::uint32_t> changed;  // new places of open reads that are new or say more than before
};

// External reads, of keys of which the reader has no other than open ones. Linear in the open reads.
MovedReads add_late_reads(ReadFacts& facts, std::vector<LateRead> reads);

// By version, but for the initial ones: the value. Linear in the history.
std::vector<KeyValueId> version_values(const History& history, const ReadFacts& facts);

}  // namespace assay

// Adds reads that are discovered late: when an execution violates them.
//
// Late reads become open reads. What was derived without them stays true, because edges that follow from
// fewer reads also follow from more. If the reader has an open read of the key already, both return the same
// version, so the candidates of that read are narrowed. A late read has no operation in the history. So a
// refutation that uses it cannot be proved here; the proof takes a history that contains the read.
#pragma once

#include <vector>

#include "dependency/read_facts.h"

namespace assay {

struct LateRead {
  TxnId reader;
  KeyId key;
  std::vector<VersionId> candidates;  // versions of writers that count
};

// Maps old indices of open reads and candidates to new ones. kGone: removed.
struct MovedReads {
  static constexpr std::uint32_t kGone = UINT32_MAX;
  std::vector<std::uint32_t> open, candidates;
  std::vector<std::uint32_t> changed;  // new indices of open reads that are new or lost candidates
};

// Adds external reads. Their readers must have no known reads of the same keys. Linear in the open reads.
MovedReads add_late_reads(ReadFacts& facts, std::vector<LateRead> reads);

// The value of each version, except initial ones. Linear in the history.
std::vector<KeyValueId> version_values(const History& history, const ReadFacts& facts);

}  // namespace assay

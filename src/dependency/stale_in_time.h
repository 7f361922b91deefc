// Reads that real time alone refutes: of a version that was overwritten before the reader began.
//
// If W writes a key after the writer of the version that R read, and commits before R takes its snapshot, all
// according to the clocks, then R should have read W's version or a later one. Most violations of real time
// are of this kind, and no graph is needed to find one. Cost: the writers of a key are sorted once, and each
// read is one binary search.
#pragma once

#include <optional>

#include "base/budget.h"
#include "dependency/version_index.h"
#include "isolation/point_rules.h"

namespace assay {

struct StaleRead {
  ReadFact read;
  TxnId overwriter;
};

// The first such read, if there is one. Nothing is found where clocks do not order commits before snapshots.
std::optional<StaleRead> find_stale_in_time(const History& history, const ReadFacts& facts,
                                            const VersionIndex& versions, const PointRules& rules,
                                            Budget& budget);

}  // namespace assay

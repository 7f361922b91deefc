// Reads that cannot all be explained, since each of their transactions needs a version of its own.
//
// If a transaction reads a version of a key and writes the key, it is the version's next one: no other
// transaction can read the same version and write the key (at levels that exclude lost updates). So
// transactions that read a key and write it must be matched with versions that they can have read, each with
// another one. Where values repeat, more transactions may have overwritten a value than ever wrote it. To see
// that, the search would have to try the versions of each read, in exponential time. A bipartite matching
// decides it at once (graph/matching.h). Cost: the candidates of these reads.
#pragma once

#include <functional>
#include <vector>

#include "base/budget.h"
#include "dependency/version_index.h"

namespace assay {

// External reads of one key, by transactions that count and write the key, that have fewer candidates
// together than they are themselves. Empty if there are none. `is_excluded` says of a candidate (its index in
// ReadFacts::candidates) that the read is known not to be from it.
std::vector<OpId> find_crowded_reads(const ReadFacts& facts, const VersionIndex& versions,
                                     const std::function<bool(std::uint32_t)>& is_excluded, Budget& budget);

}  // namespace assay

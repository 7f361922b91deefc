// Which transaction probably came first, where nothing is known for certain.
#pragma once

#include <span>
#include <vector>

#include "dependency/points.h"

namespace assay {

// By transaction: which would be tried first if all could run, as far as clocks, the file or the sessions'
// progress tell.
std::vector<std::uint32_t> ranks(const History& history);

// The candidate that was written last before an open read, as far as ranks tell, or else the first after it;
// none() if no candidate is known to count.
VersionId likely_version(const ReadFacts& facts, const OpenRead& read, std::span<const std::uint32_t> rank,
                         const KnownGraph* known = nullptr);

}  // namespace assay

// Estimates the order of transactions where nothing is known for certain.
#pragma once

#include <span>
#include <vector>

#include "dependency/points.h"

namespace assay {

// By transaction: its position in the estimated order. The estimate uses clocks, or else the order of the
// file, or, if the file lists session after session, the sessions' progress.
std::vector<std::uint32_t> ranks(const History& history);

// The candidate of an open read that, by rank, was written last before the reader, or else first after it;
// none() if no candidate that is left surely exists.
VersionId likely_version(const ReadFacts& facts, const OpenRead& read, std::span<const std::uint32_t> rank,
                         const KnownGraph* known = nullptr);

}  // namespace assay

// Edges of a graph on their way to becoming lines of a proof.
#pragma once

#include "dependency/points.h"
#include "verdict/proof_builder.h"

namespace assay {

// An edge of a path, or a run of edges that one list read shows, or that leads through times.
struct Step {
  Edge edge;
  EdgeCause cause;
  std::uint32_t number;  // of a run: the first one's
};

// The edges of a path between points, or of a cycle, as steps between points. A transaction's own two points
// need no step: the builder of proofs joins them. What leads along sessions and reads to one that has read
// from the first is that read; steps before number `given` are known from the start.
std::vector<Step> join_steps(std::vector<Step> edges, const ReadFacts& facts, const Points& points,
                             std::size_t given);

// Of an edge that stands on the history alone.
LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step);

}  // namespace assay

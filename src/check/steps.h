// Turns edges of the graph into steps, which become lines of a proof.
#pragma once

#include "dependency/points.h"
#include "verdict/proof_builder.h"

namespace assay {

// An edge of a path, a run of edges that one list read shows, or a run through nodes of real time.
struct Step {
  Edge edge;
  EdgeCause cause;
  std::uint32_t number;  // of the edge; of a run, that of its first edge
};

// Joins the edges of a path between points, or of a cycle, into steps between points. The two points of one
// transaction need no step, since the proof builder connects them. If steps along session order and reads
// lead from a writer to a transaction that reads from it, the read alone replaces them. Edges with numbers
// below `given` are known from the start.
std::vector<Step> join_steps(std::vector<Step> edges, const ReadFacts& facts, const Points& points,
                             std::size_t given);

// The line for an edge that follows from the history alone.
LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step);

}  // namespace assay

// Edges of a graph on their way to becoming lines of a proof.
#pragma once

#include "dependency/points.h"
#include "verdict/proof_builder.h"

namespace assay {

// An edge of a path, or a run of edges that one list read shows.
struct Step {
  Edge edge;
  EdgeCause cause;
  std::uint32_t number;
};

// Puts an edge at the end of a path. A transaction's own two points need no line: the builder joins them.
void add_step(std::vector<Step>& path, const Step& next);

// Of an edge that stands on the history alone.
LineId fact_line(ProofBuilder& proof, const Points& points, const Step& step);

}  // namespace assay

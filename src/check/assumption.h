// Assumes that points that are far apart in a guessed order keep their order (heuristic pruning).
//
// Databases seldom reorder transactions that are far apart. So when a search takes long, it is tried with
// additional edges: each commit precedes every snapshot that is at least two windows later in the guess. An
// execution found so explains the history. If there is none, nothing follows, and a larger window is tried.
// The idea is from Viper (Zhang et al. 2023, section 3.5). Here a node between each two windows replaces an
// edge for each pair of points, so the number of edges is linear, whatever the window.
#pragma once

#include "dependency/guess.h"

namespace assay {

// When and how long to search with such an assumption (docs/performance.md).
struct AssumptionOptions {
  std::uint64_t after = 500;        // conflicts of the search without assumptions
  std::uint64_t per_window = 4000;  // conflicts before a larger window is tried
  std::size_t first_window = 32;    // points
  std::size_t fewer_chains = 3;     // a window must need fewer chains than the history by this factor
};

struct Assumption {
  KnownGraph known;
  Guess guess;
};

Assumption assume_order(const KnownGraph& known, const ReadFacts& facts, const Guess& guess,
                        const Points& points, std::size_t window);

}  // namespace assay

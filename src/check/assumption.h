// Assuming that what is far apart in the order at hand is in the right order.
//
// Databases seldom reorder transactions that are far apart. So a search that takes long is tried again with
// more facts: each commit comes before every snapshot that is a window or more later in a first guess. If it
// succeeds then, its order explains the history; if not, nothing is said, and the window is doubled. After
// Viper's heuristic pruning (paper 001, section 3.5), but with a node between windows instead of an edge for
// each pair: linear size, whatever the window.
#pragma once

#include "dependency/guess.h"

namespace assay {

// When a search is worth trying so, and for how long (docs/performance.md).
struct AssumptionOptions {
  std::uint64_t after = 500;        // conflicts
  std::uint64_t per_window = 4000;  // conflicts
  std::size_t first_window = 32;    // points
  std::size_t fewer_chains = 3;     // windows must need so many times fewer chains than sessions and reads
};

struct Assumption {
  KnownGraph known;
  Guess guess;
};

Assumption assume_order(const KnownGraph& known, const ReadFacts& facts, const Guess& guess,
                        const Points& points, std::size_t window);

}  // namespace assay

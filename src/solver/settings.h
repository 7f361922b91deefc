// How a search goes about its work. The answer does not depend on it, the time may: on hard problems two
// searches with different settings take very different times, which is what running several of them lives on.
#pragma once

#include <cstdint>

namespace assay {

struct SolverSettings {
  std::uint64_t seed = 0;
  double random_decisions = 0;      // the fraction that ignores how active variables have been
  bool contrary = false;            // a variable's first value is the one that the theory does not prefer
  std::uint64_t restart_base = 64;  // conflicts before the first restart; the unit of Luby's sequence
};

}  // namespace assay

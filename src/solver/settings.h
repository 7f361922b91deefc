// How the search chooses among equal moves. The answer does not depend on the settings, but on hard problems
// the time does. Running several searches with different settings in parallel profits from that.
#pragma once

#include <cstdint>

namespace assay {

struct SolverSettings {
  std::uint64_t seed = 0;
  double random_decisions = 0;      // the fraction of decisions that pick a random variable
  bool contrary = false;            // first try the value that the theory does not prefer
  std::uint64_t restart_base = 64;  // conflicts before the first restart: the unit of Luby's sequence
};

}  // namespace assay

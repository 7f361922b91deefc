// Small generated histories, for the suites that compare the simulated store with the oracle.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "base/random.h"
#include "isolation/level.h"
#include "simulate/generator.h"
#include "support/oracle_level.h"

namespace assay::test {

// Throws, and so fails the test, when the options are refused.
inline Generated generated(const GeneratorOptions& options) {
  auto result = generate(options);
  if (!result) throw std::runtime_error(result.error().describe());
  return std::move(*result);
}

// Every option that can make a difference makes one.
inline GeneratorOptions varied(Level isolation, std::uint64_t seed) {
  Random random(seed);
  GeneratorOptions o{.isolation = isolation,
                     .sessions = 1 + random.below(5),
                     .transactions = 1 + random.below(9),
                     .operations = 1 + random.below(6),
                     .keys = 1 + random.below(4),
                     .reads = random.unit(),
                     .mix = random.chance(0.3) ? Mix::Split : Mix::Mixed,
                     .read_modify_write = random.unit(),
                     .aborted = random.chance(0.4) ? 0.3 : 0,
                     .unknown = random.chance(0.4) ? 0.3 : 0,
                     .skew = random.chance(0.3) ? 20000 : 0,
                     .seed = seed};
  if (random.chance(0.4)) {
    o.data = DataKind::Lists;
    o.list_length = 1 + random.below(6);
  } else if (random.chance(0.3)) {
    o.duplicates = 0.5;
  }
  if (random.chance(0.5)) o.instants = RecordedInstants::All;
  return o;
}

}  // namespace assay::test

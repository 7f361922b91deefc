// Generated histories are of their level, on seeds that nobody has tried before.
#include <gtest/gtest.h>

#include "simulate/generate_support.h"
#include "simulate/store.h"
#include "support/random.h"

namespace assay::test {
namespace {

TEST(RandomGenerator, KeepsItsLevel) {
  const std::uint64_t seed = suite_seed("RandomGenerator");
  for (const Level level : simulated_levels())
    for (std::size_t i = 0; i < scaled(50000, 500); ++i) {
      const GeneratorOptions options = varied(level, seed + i);
      ASSERT_TRUE(oracle::allows(generated(options).history, of_oracle(level), {.skew = options.skew}))
          << id(level) << " seed " << seed + i;
    }
}

}  // namespace
}  // namespace assay::test

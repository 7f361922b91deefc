// A history or a failed test.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "isolation/level.h"
#include "oracle/oracle.h"
#include "simulate/generator.h"

namespace assay::test {

inline Generated generated(const GeneratorOptions& options) {
  auto result = generate(options);
  if (!result) throw std::runtime_error(result.error().describe());
  return std::move(*result);
}

// The oracle's own name for a level.
inline oracle::Level of_oracle(Level level) {
  return *std::ranges::find_if(oracle::kLevels, [&](oracle::Level l) { return oracle::id(l) == id(level); });
}

}  // namespace assay::test

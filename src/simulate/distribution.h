// Random numbers below n, uniform or skewed.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.h"
#include "simulate/generator.h"

namespace assay {

// P(i) is proportional to 1 / (i + 1)^exponent. A table of n numbers; drawing is a binary search.
class Zipf {
 public:
  Zipf(std::size_t n, double exponent);
  std::size_t draw(Random& random) const;

 private:
  std::vector<double> cumulative_;
};

class KeyDistribution {
 public:
  explicit KeyDistribution(const GeneratorOptions& options);
  std::size_t draw(Random& random) const;

 private:
  std::size_t keys_;
  std::size_t hot_ = 0;  // 0: no hot spot
  std::optional<Zipf> zipf_;
};

}  // namespace assay

#include "simulate/distribution.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

constexpr double kHotKeys = 0.2, kHotOperations = 0.8;

}  // namespace

Zipf::Zipf(std::size_t n, double exponent) : cumulative_(n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) cumulative_[i] = sum += std::pow(static_cast<double>(i + 1), -exponent);
}

std::size_t Zipf::draw(Random& random) const {
  const double u = random.unit() * cumulative_.back();
  const auto found = std::ranges::upper_bound(cumulative_, u);
  // Rounding can make u equal to the whole sum.
  return std::min<std::size_t>(found - cumulative_.begin(), cumulative_.size() - 1);
}

KeyDistribution::KeyDistribution(const GeneratorOptions& options) : keys_(options.keys) {
  if (options.key_choice == KeyChoice::Zipf) zipf_.emplace(options.keys, options.zipf);
  if (options.key_choice == KeyChoice::Hotspot)
    hot_ = std::max<std::size_t>(1, static_cast<std::size_t>(kHotKeys * static_cast<double>(keys_)));
}

std::size_t KeyDistribution::draw(Random& random) const {
  if (zipf_) return zipf_->draw(random);
  if (hot_ == 0 || hot_ == keys_) return random.below(keys_);
  return random.chance(kHotOperations) ? random.below(hot_) : hot_ + random.below(keys_ - hot_);
}

}  // namespace assay

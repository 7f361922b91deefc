// Seeded random numbers that are the same on every machine and in every build.
//
// std::mt19937 is portable but the distributions of the standard library are not, so both are implemented
// here: xoshiro256** (Blackman and Vigna 2021) seeded by splitmix64, and unbiased bounded integers (Lemire
// 2019).
#pragma once

#include <cstdint>

#include "base/contract.h"

namespace assay {

class Random {
 public:
  using result_type = std::uint64_t;

  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      word = z ^ (z >> 31);
    }
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT64_MAX; }

  result_type operator()() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound).
  std::uint64_t below(std::uint64_t bound) {
    ASSAY_REQUIRE(bound > 0);
    const std::uint64_t reject = -bound % bound;  // 2^64 mod bound
    while (true) {
      const auto product = static_cast<unsigned __int128>((*this)()) * bound;
      if (static_cast<std::uint64_t>(product) >= reject) return static_cast<std::uint64_t>(product >> 64);
    }
  }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return unit() < probability; }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4];
};

}  // namespace assay

#include "simulate/distribution.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::test {
namespace {

std::vector<double> frequencies(const GeneratorOptions& options) {
  const KeyDistribution distribution(options);
  Random random(1);
  std::vector<double> share(options.keys);
  for (int i = 0; i < 200000; ++i) share[distribution.draw(random)] += 1.0 / 200000;
  return share;
}

TEST(KeyDistribution, UniformTreatsAllKeysAlike) {
  for (const double f : frequencies({.keys = 50})) EXPECT_NEAR(f, 0.02, 0.003);
}

TEST(KeyDistribution, ZipfFallsWithTheRankToTheExponent) {
  for (const double exponent : {0.5, 0.99, 1.0, 1.5}) {
    const auto f = frequencies({.keys = 50, .key_choice = KeyChoice::Zipf, .zipf = exponent});
    EXPECT_NEAR(f[0] / f[3], std::pow(4, exponent), 0.15 * std::pow(4, exponent)) << exponent;
    EXPECT_NEAR(f[1] / f[9], std::pow(5, exponent), 0.15 * std::pow(5, exponent)) << exponent;
  }
}

TEST(KeyDistribution, HotspotPutsFourFifthsOnOneFifthOfTheKeys) {
  const auto f = frequencies({.keys = 50, .key_choice = KeyChoice::Hotspot});
  double hot = 0;
  for (std::size_t i = 0; i < 10; ++i) hot += f[i];
  EXPECT_NEAR(hot, 0.8, 0.01);
  EXPECT_NEAR(f[0], 0.08, 0.005);
  EXPECT_NEAR(f[49], 0.005, 0.002);
}

TEST(KeyDistribution, WorksWithASingleKey) {
  for (const KeyChoice choice : {KeyChoice::Uniform, KeyChoice::Zipf, KeyChoice::Hotspot})
    EXPECT_EQ(frequencies({.keys = 1, .key_choice = choice}).front() > 0.99, true);
}

}  // namespace
}  // namespace assay::test

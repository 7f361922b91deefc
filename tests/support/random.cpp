#include "support/random.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "base/hash.h"

namespace assay::test {
namespace {

std::uint64_t run_seed() {
  static const std::uint64_t seed = [] {
    if (const char* given = std::getenv("ASSAY_SEED")) return std::strtoull(given, nullptr, 10);
    std::random_device device;
    return (std::uint64_t{device()} << 20 ^ device()) & 0xffffffffffULL;
  }();
  return seed;
}

}  // namespace

std::uint64_t suite_seed(std::string_view suite) {
  std::printf("%.*s: seed %llu (replay with ASSAY_SEED=%llu)\n", static_cast<int>(suite.size()), suite.data(),
              static_cast<unsigned long long>(run_seed()), static_cast<unsigned long long>(run_seed()));
  return mix(run_seed(), hash_bytes(suite));
}

std::size_t scaled(std::size_t full, std::size_t least) {
  const char* scale = std::getenv("ASSAY_SCALE");
  const double factor = scale ? std::strtod(scale, nullptr) : 0.02;
  return std::max(least, static_cast<std::size_t>(static_cast<double>(full) * factor));
}

}  // namespace assay::test

// Seed and size of the random suites.
//
// ASSAY_SEED replays a run; without it every run draws a fresh seed and prints it.
// ASSAY_SCALE is how much of the full size to run: ./test takes a slice, ./test slow the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::test {

// The run's seed, mixed with the suite's name; prints both the first time it is asked.
std::uint64_t suite_seed(std::string_view suite);

// `full` at ./test slow, a slice of it otherwise; never less than `least`.
std::size_t scaled(std::size_t full, std::size_t least);

}  // namespace assay::test

// The options that describe a workload, for the commands that run one.
#pragma once

#include <optional>

#include "cli/command.h"
#include "simulate/generator.h"

namespace assay::cli {

// What was said on the command line; the rest is the workload's.
struct WorkloadArguments {
  std::string workload, preset, distribution, mix;
  std::optional<std::size_t> sessions, txns, ops, keys, warehouses;
  std::optional<double> reads, rmw, duplicates, duplicates_zipf;
  std::optional<std::uint64_t> seed;
  bool distinct = false;

  void add_to(CLI::App& command);
  // The named workload, or `otherwise`, with what was said. Draws a seed when none was given.
  Result<GeneratorOptions> options(GeneratorOptions otherwise = {}) const;

 private:
  Result<void> check_meaning(Shape shape) const;
};

// Every workload with its presets, for --help.
std::string workloads_for_help();

}  // namespace assay::cli

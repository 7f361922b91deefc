// The options that describe a workload, for the commands that run one.
#pragma once

#include <optional>

#include "cli/command.h"
#include "simulate/generator.h"

namespace assay::cli {

// Arguments of the command line; the workload determines what they leave open.
struct WorkloadArguments {
  std::string workload, preset, distribution, mix;
  std::optional<std::size_t> sessions, txns, ops, keys, warehouses;
  std::optional<double> reads, rmw, duplicates, duplicates_zipf;
  std::optional<std::uint64_t> seed;
  bool distinct = false;

  void add_to(CLI::App& command);
  // The named workload, or `otherwise`, changed by these arguments. Draws a seed if none was given.
  Result<GeneratorOptions> options(GeneratorOptions otherwise = {}) const;

 private:
  Result<void> check_meaning(Shape shape) const;
};

// Every workload with its presets, for --help.
std::string workloads_for_help();

}  // namespace assay::cli

// The published workloads by name, as data: sizes and fractions, to be overridden one by one.
#pragma once

#include <span>
#include <string_view>

#include "simulate/generator.h"

namespace assay {

struct PresetRow {
  std::string_view workload;
  std::string_view preset;  // empty: the workload as it is
  std::string_view meaning;
  GeneratorOptions options;
};

std::span<const PresetRow> presets();
// By name, in any case. An empty preset is the workload as it is.
Result<GeneratorOptions> find_preset(std::string_view workload, std::string_view preset);

}  // namespace assay

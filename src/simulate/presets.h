// The published workloads by name, as data: sizes and fractions, each of which the user can override.
#pragma once

#include <span>
#include <string_view>

#include "simulate/generator.h"

namespace assay {

struct PresetRow {
  std::string_view workload;
  std::string_view preset;  // empty: the workload's default
  std::string_view meaning;
  GeneratorOptions options;
};

std::span<const PresetRow> presets();
// Finds a preset by name, ignoring case. An empty preset is the workload's default.
Result<GeneratorOptions> find_preset(std::string_view workload, std::string_view preset);

}  // namespace assay

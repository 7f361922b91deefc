#include "simulate/spelling.h"

#include <fmt/format.h>

#include <algorithm>

#include "simulate/presets.h"

namespace assay {
namespace {

bool same_mix(const RangeMix& a, const RangeMix& b) {
  return a.inserts == b.inserts && a.deletes == b.deletes && a.reads == b.reads && a.writes == b.writes;
}

// A preset that differs in nothing that has no option of its own; none: what is drawn without --workload.
const PresetRow* nearest_preset(const GeneratorOptions& g) {
  if (g.shape == Shape::Parametric && g.data == DataKind::Registers) return nullptr;
  const auto found = std::ranges::find_if(presets(), [&](const PresetRow& row) {
    return row.options.shape == g.shape && row.options.data == g.data &&
           same_mix(row.options.range_mix, g.range_mix);
  });
  return found == presets().end() ? nullptr : &*found;
}

std::string distribution(const GeneratorOptions& g) {
  if (g.key_choice == KeyChoice::Uniform) return "uniform";
  return g.key_choice == KeyChoice::Hotspot ? "hotspot" : fmt::format("zipf:{}", g.zipf);
}

}  // namespace

std::string spelled(const GeneratorOptions& g) {
  const PresetRow* const preset = nearest_preset(g);
  const GeneratorOptions base = preset == nullptr ? GeneratorOptions{} : preset->options;
  const bool drawn = g.shape == Shape::Parametric;
  std::string text;
  const auto add = [&text](std::string_view option, const auto& value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, value);
  };
  if (preset != nullptr) add("--workload", preset->workload);
  if (preset != nullptr && !preset->preset.empty()) add("--preset", preset->preset);
  add("--sessions", g.sessions);
  add("--txns", g.transactions);
  if (drawn || has_rows(g.shape)) add("--ops", g.operations);
  add("--keys", g.keys);
  if (g.warehouses != base.warehouses) add("--warehouses", g.warehouses);
  if (g.reads != base.reads) add("--reads", g.reads);
  if (g.mix != base.mix) add("--mix", g.mix == Mix::Mixed ? "mixed" : "split");
  if (g.read_modify_write != base.read_modify_write) add("--rmw", g.read_modify_write);
  if (g.distinct_keys) text += " --distinct";
  if (distribution(g) != distribution(base)) add("--distribution", distribution(g));
  if (g.duplicates != base.duplicates) add("--duplicates", g.duplicates);
  if (g.duplicates_zipf != base.duplicates_zipf) add("--duplicates-zipf", g.duplicates_zipf);
  return text;
}

}  // namespace assay

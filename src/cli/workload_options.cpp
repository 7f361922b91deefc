#include "cli/workload_options.h"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "simulate/presets.h"

namespace assay::cli {
namespace {

template <class T, class U>
void apply(T& option, const std::optional<U>& said) {
  if (said) option = static_cast<T>(*said);
}

Result<void> set_distribution(GeneratorOptions& g, const std::string& text) {
  const std::string_view name = std::string_view(text).substr(0, text.find(':'));
  const bool has_exponent = name.size() < text.size();
  if (name == "uniform" && !has_exponent) g.key_choice = KeyChoice::Uniform;
  else if (name == "hotspot" && !has_exponent) g.key_choice = KeyChoice::Hotspot;
  else if (name == "zipf") g.key_choice = KeyChoice::Zipf;
  else return error(fmt::format("unknown distribution {}", text), "one of uniform, zipf, zipf:0.99, hotspot");
  if (has_exponent) {
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data() + name.size() + 1, end, g.zipf);
    if (problem != std::errc() || stop != end)
      return error(fmt::format("{} has no number after the colon", text), "write zipf:0.99");
  }
  return {};
}

}  // namespace

// Rejects options that have no meaning for the workload: applications define their transactions themselves,
// and workloads on rows define part of them.
Result<void> WorkloadArguments::check_meaning(Shape shape) const {
  const bool drawn = shape == Shape::Parametric, ranges = shape == Shape::Ranges,
             predicates = shape == Shape::Predicates;
  std::string senseless;
  const auto note = [&](bool given, bool means_something, std::string_view option) {
    if (given && !means_something) senseless += (senseless.empty() ? "" : " and ") + std::string(option);
  };
  note(ops.has_value(), drawn || ranges || predicates, "--ops");
  note(reads.has_value(), drawn || predicates, "--reads");
  note(!mix.empty(), drawn || ranges, "--mix");
  note(rmw.has_value(), drawn, "--rmw");
  note(distinct, drawn, "--distinct");
  if (senseless.empty()) return {};
  return error(fmt::format("{} cannot be chosen for {}", senseless, workload),
               "its transactions are its own; leave it out");
}

Result<GeneratorOptions> WorkloadArguments::options(GeneratorOptions otherwise) const {
  GeneratorOptions g = otherwise;
  if (!workload.empty() || !preset.empty()) {
    auto found = find_preset(workload.empty() ? "general" : workload, preset);
    if (!found) return found;
    g = *found;
  }
  ASSAY_TRY(check_meaning(g.shape));
  if (!distribution.empty()) ASSAY_TRY(set_distribution(g, distribution));
  if (mix == "mixed") g.mix = Mix::Mixed;
  else if (mix == "split") g.mix = Mix::Split;
  else if (!mix.empty()) return error(fmt::format("unknown mix {}", mix), "mixed or split");
  apply(g.sessions, sessions);
  apply(g.transactions, txns);
  apply(g.operations, ops);
  if (ops) g.fewest_operations = std::min(g.fewest_operations, *ops);
  apply(g.keys, keys);
  apply(g.warehouses, warehouses);
  apply(g.reads, reads);
  apply(g.read_modify_write, rmw);
  apply(g.duplicates, duplicates);
  apply(g.duplicates_zipf, duplicates_zipf);
  if (distinct) g.distinct_keys = true;
  std::random_device device;
  g.seed = seed ? *seed : std::uint64_t{device()};
  return g;
}

void WorkloadArguments::add_to(CLI::App& command) {
  command.add_option("--workload", workload, "Where defaults come from; see below");
  command.add_option("--preset", preset, "Of the workload (general when none is given)");
  command.add_option("--sessions", sessions, "Concurrent clients (8)");
  command.add_option("--ops", ops, "Operations of a transaction (8)");
  command.add_option("--keys", keys, "Keys, or users of an application (100)");
  command.add_option("--warehouses", warehouses, "Of tpcc (1); --keys are then customers of a district");
  command.add_option("--reads", reads, "Fraction of reads (0.5)");
  command.add_option("--mix", mix,
                     "mixed: transactions read and write; split: one or the other; of range: operations of "
                     "one kind (mixed)");
  command.add_option("--rmw", rmw,
                     "Fraction of a mixed transaction's writes that go to a key it read (0.25)");
  command.add_flag("--distinct", distinct, "A transaction uses no key twice");
  command.add_option("--distribution", distribution, "Of keys: uniform, zipf, zipf:0.99, hotspot (uniform)");
  command.add_option("--duplicates", duplicates, "Fraction of the keys whose written values repeat (0)");
  command.add_option("--duplicates-zipf", duplicates_zipf, "Zipf exponent of those values, over 100 (0.5)");
}

std::string workloads_for_help() {
  std::string text = "Workloads and presets:\n";
  for (const PresetRow& row : presets())
    text += fmt::format("  {:<9} {:<4} {}\n", row.workload, row.preset, row.meaning);
  return text;
}

}  // namespace assay::cli

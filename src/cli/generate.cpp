#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>

#include "cli/command.h"
#include "simulate/generator.h"
#include "simulate/inject.h"
#include "simulate/presets.h"
#include "simulate/store.h"

namespace assay::cli {
namespace {

// What was said on the command line; the rest is the workload's.
struct GenerateArguments {
  std::string out, to;
  std::string workload, preset, isolation, distribution, mix, inject;
  std::optional<std::size_t> sessions, txns, ops, keys;
  std::optional<double> reads, rmw, duplicates, duplicates_zipf, aborted, unknown;
  std::optional<int> instants;
  std::optional<std::int64_t> skew;
  std::optional<std::uint64_t> seed;
  bool distinct = false;
};

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

Result<void> set_names(GeneratorOptions& g, const GenerateArguments& o) {
  if (!o.isolation.empty()) {
    const auto level = find_level(o.isolation);
    if (!level) return error(fmt::format("unknown level {}", o.isolation), "assay levels lists them");
    g.isolation = *level;
  }
  if (!o.inject.empty()) {
    g.inject = find_anomaly(o.inject);
    if (!g.inject)
      return error(fmt::format("unknown anomaly {}", o.inject), "assay generate --help lists them");
  }
  if (!o.distribution.empty()) ASSAY_TRY(set_distribution(g, o.distribution));
  if (o.mix == "mixed") g.mix = Mix::Mixed;
  else if (o.mix == "split") g.mix = Mix::Split;
  else if (!o.mix.empty()) return error(fmt::format("unknown mix {}", o.mix), "mixed or split");
  if (o.instants && *o.instants != 0 && *o.instants != 2 && *o.instants != 4)
    return error(fmt::format("{} instants", *o.instants), "0, 2 (begin and end) or 4");
  return {};
}

Result<GeneratorOptions> generator_options(const GenerateArguments& o) {
  GeneratorOptions g;
  if (!o.workload.empty() || !o.preset.empty()) {
    auto preset = find_preset(o.workload.empty() ? "general" : o.workload, o.preset);
    if (!preset) return preset;
    g = *preset;
  }
  ASSAY_TRY(set_names(g, o));
  apply(g.sessions, o.sessions);
  apply(g.transactions, o.txns);
  apply(g.operations, o.ops);
  if (o.ops) g.fewest_operations = std::min(g.fewest_operations, *o.ops);
  apply(g.keys, o.keys);
  apply(g.reads, o.reads);
  apply(g.read_modify_write, o.rmw);
  apply(g.duplicates, o.duplicates);
  apply(g.duplicates_zipf, o.duplicates_zipf);
  apply(g.aborted, o.aborted);
  apply(g.unknown, o.unknown);
  apply(g.instants, o.instants);
  apply(g.skew, o.skew);
  if (o.distinct) g.distinct_keys = true;
  std::random_device device;
  g.seed = o.seed ? *o.seed : std::uint64_t{device()};
  return g;
}

std::string planted(const Generated& generated, Anomaly anomaly) {
  std::string text = fmt::format("injected {}: transactions", name(anomaly));
  for (const TxnId t : generated.injected) text += " " + generated.history.display(t);
  return text + "\n";
}

Exit run(const GenerateArguments& o) {
  const auto to = o.to.empty() ? format_for_output(o.out) : format_option(o.to);
  if (!to) return fail(to.error());
  const auto options = generator_options(o);
  if (!options) return fail(options.error());
  const auto generated = generate(*options);
  if (!generated) return fail(generated.error());
  const auto report = write_history(generated->history, o.out, **to, {.lossy = true});
  if (!report) return fail(report.error());

  for (const std::string& loss : report->left_out) warn(fmt::format("{}: left out {}", o.out, loss));
  if (!o.seed) warn(fmt::format("seed {}", options->seed));
  if (options->inject)
    fmt::print(o.out == "-" ? stderr : stdout, "{}", planted(*generated, *options->inject));
  return Exit::Holds;
}

std::string names_for_help() {
  std::string text = "Levels:";
  for (const Level level : simulated_levels()) text += fmt::format(" {}", id(level));
  text += "\nAnomalies:";
  for (const Anomaly anomaly : plantable_anomalies()) text += fmt::format(" {}", name(anomaly));
  text += "\nWorkloads and presets:\n";
  for (const PresetRow& row : presets())
    text += fmt::format("  {:<8} {:<3} {}\n", row.workload, row.preset, row.meaning);
  return text;
}

}  // namespace

void add_generate(CLI::App& app, Exit& exit) {
  auto o = std::make_shared<GenerateArguments>();
  CLI::App* command =
      app.add_subcommand("generate", "Make a history of a chosen level, from a simulated store");
  command->add_option("OUT", o->out, "A file, or - for standard output; .gz and .zst compress")->required();
  command->add_option("--to", o->to, "Format of OUT; by its extension when not given, jsonl for -");
  command->add_option("--isolation", o->isolation,
                      "The level that the store keeps, and no stronger one (ser)");
  command->add_option("--workload", o->workload, "Where defaults come from; see below");
  command->add_option("--preset", o->preset, "Of the workload (general when none is given)");
  command->add_option("--sessions", o->sessions, "Concurrent clients (8)");
  command->add_option("--txns", o->txns, "Transactions in total, aborted and injected ones included (1000)");
  command->add_option("--ops", o->ops, "Operations of a transaction (8)");
  command->add_option("--keys", o->keys, "Keys (100)");
  command->add_option("--reads", o->reads, "Fraction of reads (0.5)");
  command->add_option("--mix", o->mix, "mixed: transactions read and write; split: one or the other (mixed)");
  command->add_option("--rmw", o->rmw,
                      "Fraction of a mixed transaction's writes that go to a key it read (0.25)");
  command->add_flag("--distinct", o->distinct, "A transaction uses no key twice");
  command->add_option("--distribution", o->distribution,
                      "Of keys: uniform, zipf, zipf:0.99, hotspot (uniform)");
  command->add_option("--duplicates", o->duplicates, "Fraction of the keys whose written values repeat (0)");
  command->add_option("--duplicates-zipf", o->duplicates_zipf,
                      "Zipf exponent of those values, over 100 (0.5)");
  command->add_option("--aborted", o->aborted, "Fraction of transactions that the client aborts (0)");
  command->add_option("--unknown", o->unknown, "Fraction of transactions of unknown outcome (0)");
  command->add_option("--instants", o->instants, "0, 2: begin and end, 4: also began and committing (2)");
  command->add_option("--skew", o->skew, "By how many nanoseconds clocks of sessions differ at most (0)");
  command->add_option("--inject", o->inject, "Plant this anomaly once, and say in which transactions");
  command->add_option("--seed", o->seed,
                      "The same seed and options make the same history; drawn when not given");
  command->footer(names_for_help() +
                  "\nExamples:\n"
                  "  assay generate --isolation si --sessions 20 --txns 10000 si.jsonl\n"
                  "  assay generate --workload blindw --preset RM --inject write-skew --seed 7 skew.jsonl");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli

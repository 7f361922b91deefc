// `assay generate`: makes a history of a chosen level from a simulated store.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/printable.h"
#include "cli/workload_options.h"
#include "isolation/level_list.h"
#include "simulate/generator.h"
#include "simulate/inject.h"
#include "simulate/store.h"

namespace assay::cli {
namespace {

// Arguments of the command line; the workload determines what they leave open.
struct GenerateArguments {
  std::string out, to, isolation, inject;
  WorkloadArguments workload;
  std::optional<double> aborted, unknown;
  std::optional<int> instants;
  std::optional<std::int64_t> skew;
};

Result<GeneratorOptions> generator_options(const GenerateArguments& o) {
  auto chosen = o.workload.options();
  if (!chosen) return chosen;
  GeneratorOptions& g = *chosen;
  if (!o.isolation.empty()) {
    auto level = level_named(o.isolation);
    if (!level) return std::move(level).error();
    if (const auto meaning = meaning_of_name(o.isolation, *level)) warn(*meaning);
    g.isolation = simulated_for(*level).value_or(*level);
    if (g.isolation != *level)
      warn(fmt::format("the history is of {}, which implies {}", id(g.isolation), id(*level)));
  }
  if (!o.inject.empty()) {
    g.inject = find_anomaly(o.inject);
    if (!g.inject)
      return error(fmt::format("unknown anomaly {}", o.inject), "assay generate --help lists them");
  }
  if (o.instants && *o.instants != 0 && *o.instants != 2 && *o.instants != 4)
    return error(fmt::format("{} instants", *o.instants), "0, 2 (begin and end) or 4");
  if (o.aborted) g.aborted = *o.aborted;
  if (o.unknown) g.unknown = *o.unknown;
  if (o.instants) g.instants = static_cast<RecordedInstants>(*o.instants);
  if (o.skew) g.skew = *o.skew;
  return chosen;
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
  if (!o.workload.seed) warn(fmt::format("seed {}", options->seed));
  if (options->inject)
    fmt::print(o.out == "-" ? stderr : stdout, "{}", printable(planted(*generated, *options->inject)));
  return Exit::Holds;
}

std::string names_for_help() {
  std::string text = "Levels:";
  for (const Level level : simulated_levels()) text += fmt::format(" {}", id(level));
  text += "\nAnomalies:";
  for (const Anomaly anomaly : plantable_anomalies()) text += fmt::format(" {}", name(anomaly));
  return text + "\n" + workloads_for_help();
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
  command->add_option("--txns", o->workload.txns,
                      "Transactions in total, aborted and injected ones included (1000)");
  o->workload.add_to(*command);
  command->add_option("--aborted", o->aborted, "Fraction of transactions that the client aborts (0)");
  command->add_option("--unknown", o->unknown, "Fraction of transactions of unknown outcome (0)");
  command->add_option("--instants", o->instants, "0, 2: begin and end, 4: also began and committing (2)");
  command->add_option("--skew", o->skew, "By how many nanoseconds clocks of sessions differ at most (0)");
  command->add_option("--inject", o->inject, "Plant this anomaly once, and say in which transactions");
  command->add_option("--seed", o->workload.seed,
                      "The same seed and options make the same history; random if not given");
  command->footer(names_for_help() +
                  "\nExamples:\n"
                  "  assay generate --isolation si --sessions 20 --txns 10000 si.jsonl\n"
                  "  assay generate --workload blindw --preset RM --inject write-skew --seed 7 skew.jsonl\n"
                  "  assay generate --workload blindw --preset pred --isolation ser --txns 10000 pred.jsonl\n"
                  "  assay generate --workload range --isolation si --inject phantom q.jsonl");
  command->callback([o, &exit] { exit = run(*o); });
}

}  // namespace assay::cli

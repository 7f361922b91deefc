// `assay check` and `assay explain`, which differ only in how much of an explanation they print.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/anomaly_text.h"
#include "cli/check_specifications.h"
#include "cli/findings_text.h"
#include "cli/judging.h"
#include "cli/outputs.h"
#include "history_io/jepsen_store.h"
#include "isolation/level_list.h"
#include "report/json.h"
#include "report/text.h"

namespace assay::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> histories;
  std::string levels = "ser", format;
  std::vector<std::string> specifications;  // to judge by these instead of levels
  JudgeOptions judge{};
  Outputs outputs{};
  NameStyle names = NameStyle::Plain;
  bool json = false, quiet = false, full = false, verbose = false, compare_elle = false;
};

void print_findings(const Findings& findings, const CheckArguments& options, bool all) {
  if (options.json) return print(as_json(findings) + "\n");
  warn_about(findings);
  print(verdict_lines(findings, options.names));
  if (all) print(fmt::format("strongest that hold: {}\n", strongest(findings)));
  if (!options.quiet) print(explanations(findings, options.full, options.names));
}

Exit run(CheckArguments options) {
  auto format = format_option(options.format);
  if (!format) return fail(format.error());
  if (!options.specifications.empty())
    return check_specifications({options.histories, options.specifications, *format, options.judge.timeout,
                                 options.judge.memory, options.json, options.quiet, options.judge.reading});
  const auto chosen = parse_levels(options.levels);
  if (!chosen) return fail(chosen.error());
  if (const auto possible = options.outputs.possible_for(options.histories.size()); !possible)
    return fail(possible.error());
  for (const std::string& meaning : chosen->meanings) warn(meaning);
  options.judge.levels = chosen->levels;
  const bool all = chosen->all;
  options.judge.explain = !options.quiet || options.outputs.need_stories();
  bool violated = false, bad = false, undecided = false;
  for (const std::string& file : options.histories) {
    const auto findings = judge_for_user(file, *format, options.judge, options.verbose);
    if (!findings) {
      fail(findings.error());
      options.outputs.note(file, findings.error());
      bad = true;
      continue;
    }
    violated |= any<Violated>(*findings);
    undecided |= any<Undecided>(*findings);
    bad |= !all && !findings->refused.empty();
    print_findings(*findings, options, all);
    if (options.compare_elle) {
      const auto results = read_jepsen_results(file);
      if (!results) bad = fail(results.error()) == Exit::Bad;
      else if (options.json) warn(compared_with_elle(*findings, *results));
      else print(compared_with_elle(*findings, *results) + "\n");
    }
    if (const auto written = options.outputs.write(*findings); !written) {
      fail(written.error());
      bad = true;
    }
  }
  if (const auto written = options.outputs.finish(); !written) {
    fail(written.error());
    bad = true;
  }
  return violated ? Exit::Found : bad ? Exit::Bad : undecided ? Exit::Undecided : Exit::Holds;
}

std::shared_ptr<CheckArguments> add_options(CLI::App& command, const std::string& command_line) {
  auto options = std::make_shared<CheckArguments>();
  options->outputs.command = command_line;
  command.add_option("HISTORY", options->histories, "Files, log directories, or - for standard input")
      ->required();
  command.add_option("--level", options->levels, "Levels, separated by commas, or all (default: ser)")
      ->join(',');
  command.add_option("--format", options->format,
                     "Format of the input; recognised by content when not given");
  command.add_option("--timeout", options->judge.timeout, "Seconds per level; then the verdict is undecided")
      ->check(at_least_zero());
  command.add_option("--memory", options->judge.memory,
                     "Megabytes of resident memory; then the verdict is undecided");
  command
      .add_option("--skew", options->judge.skew,
                  "Nanoseconds by which the clocks of clients may differ, for the levels of real time (0)")
      ->check(at_least_zero());
  command
      .add_option("--threads", options->judge.threads,
                  "Parallel searches, if one takes longer than a second (default: 1)")
      ->check(CLI::Range(1, 256));
  command.add_option("--report", options->outputs.report,
                     "Write a page to look at and pass on: one HTML file, offline");
  command.add_option("--dot", options->outputs.dot, "Write the violation as a graph for Graphviz");
  command.add_option("--svg", options->outputs.svg, "Write the violation as a picture (needs Graphviz)");
  command.add_option("--junit", options->outputs.junit, "Write the verdicts as JUnit XML, for CI");
  command.add_option("--certificate", options->outputs.certificate,
                     "Write the evidence there, for assay certify");
  command
      .add_option("--names", options->names,
                  "Names of anomalies in the text: plain (ours), adya or elle (docs/names.md)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, NameStyle>{
              {"plain", NameStyle::Plain}, {"adya", NameStyle::Adya}, {"elle", NameStyle::Elle}},
          CLI::ignore_case));
  command.add_flag("--json", options->json, "One JSON object per history");
  add_reading_options(command, options->judge.reading);
  command.add_flag("--verbose", options->verbose, "Print on stderr how each verdict was found");
  return options;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("check", "Judge whether histories satisfy isolation levels");
  auto options = add_options(*command, command_line);
  command->add_flag("--quiet", options->quiet, "Verdicts only, no explanations");
  command->add_flag("--compare-elle", options->compare_elle,
                    "Compare with what Elle said: the results.edn beside a Jepsen history");
  command
      ->add_option("--spec", options->specifications,
                   "Judge small histories by specifications instead of levels: biswas:SI or FILE:LEVEL")
      ->excludes("--level");
  command->add_flag("--no-greedy", options->judge.no_greedy,
                    "Do not try a serial execution first (to measure)");
  command->add_flag("--no-saturation", options->judge.no_saturation,
                    "Search without derived facts (to measure)");
  command->add_flag("--no-assumption", options->judge.no_assumption,
                    "Do not assume an order of distant transactions in a long search (to measure)");
  command->add_flag("--eager-choices", options->judge.eager_choices,
                    "Make every choice at the start (to measure)");
  command->footer(
      "Examples:\n"
      "  assay check --level ser,si history.edn\n"
      "  assay check --level all --json history.jsonl\n"
      "  assay check --level strict-ser --compare-elle store/etcd-append/latest\n"
      "  assay check --level si --report violation.html history.jsonl\n"
      "  assay check --level strict-ser --skew 1000000 history.jsonl\n"
      "  assay check --spec my.spec:MyLevel history.hist\n"
      "  assay check --level ser --threads 4 --timeout 600 --verbose hard.jsonl\n"
      "  assay check --certificate proof.txt history.jsonl && assay certify history.jsonl proof.txt");
  command->callback([options, &exit] { exit = run(*options); });
}

void add_explain(CLI::App& app, Exit& exit, const std::string& command_line) {
  CLI::App* command =
      app.add_subcommand("explain", "Judge histories and tell the whole story of each violation");
  auto options = add_options(*command, command_line);
  options->full = true;
  command->footer(
      "Shows the smallest part of the history that breaks the level, the cycle of its transactions, and for "
      "each order\n"
      "that nobody observed, why it cannot be otherwise.\n\n"
      "Examples:\n"
      "  assay explain --level si history.edn\n"
      "  assay explain --level ser --svg violation.svg history.jsonl\n"
      "  assay explain lost-update                   an anomaly, with an example");
  command->callback([options, &exit] {
    if (options->histories.size() == 1 && !std::filesystem::exists(options->histories.front()))
      if (const auto anomaly = find_anomaly(options->histories.front())) {
        print(anomaly_in_full(row(*anomaly)));
        exit = Exit::Holds;
        return;
      }
    exit = run(*options);
  });
}

}  // namespace assay::cli

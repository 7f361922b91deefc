// `assay check` and `assay explain`: the same, but that explain tells the whole story.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "cli/check_specifications.h"
#include "cli/judge.h"
#include "cli/outputs.h"
#include "report/json.h"
#include "report/text.h"

namespace assay::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> histories;
  std::string levels = "ser", format;
  std::vector<std::string> specifications;  // to judge by, instead of levels
  JudgeOptions judge{};
  Outputs outputs{};
  bool json = false, quiet = false, full = false;
};

// With `all`: every level.
Result<std::vector<Level>> chosen_levels(const std::string& names, bool& all) {
  std::vector<Level> chosen;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "all") {
      all = true;
      for (const LevelRow& level : levels()) chosen.push_back(level.level);
      continue;
    }
    const auto level = find_level(name);
    if (!level) return error(fmt::format("unknown level {}", name), "assay levels lists them");
    chosen.push_back(*level);
  }
  if (chosen.empty()) return error("no level is given", "assay levels lists them");
  return chosen;
}

// The levels that hold and are implied by no other that does.
std::string strongest(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.levels) {
    const bool implied = std::ranges::any_of(findings.levels, [&](const Finding& other) {
      return std::holds_alternative<Holds>(other.verdict) && other.level != finding.level &&
             implies(other.level, finding.level);
    });
    if (std::holds_alternative<Holds>(finding.verdict) && !implied)
      text += (text.empty() ? "" : ", ") + std::string(id(finding.level));
  }
  return text.empty() ? "none" : text;
}

std::string verdict_lines(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.levels) {
    const auto* fell = std::get_if<Violated>(&finding.verdict);
    text += fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", findings.file, id(finding.level), word(finding.verdict),
                        finding.seconds, fell ? anomaly_name(*fell) : "-");
    if (const auto* undecided = std::get_if<Undecided>(&finding.verdict))
      warn(fmt::format("{}: {} is undecided: {}", findings.file, id(finding.level), undecided->why));
  }
  return text;
}

std::string explanations(const Findings& findings, bool full) {
  std::string text;
  for (std::size_t story = 0; story < findings.stories.size(); ++story)
    text += as_text(findings, story, {.colours = isatty(STDOUT_FILENO) != 0, .full = full});
  const auto verdict_at = [&](Level level) {
    const auto found = std::ranges::find(findings.levels, level, &Finding::level);
    return found == findings.levels.end() ? nullptr : &found->verdict;
  };
  const Verdict *ser = verdict_at(Level::Ser), *plain = verdict_at(Level::PlainSer);
  if (ser && plain && std::holds_alternative<Violated>(*ser) && std::holds_alternative<Holds>(*plain))
    text += "ser: only session order breaks it: plain-ser holds\n";
  return text;
}

void print_findings(const Findings& findings, const CheckArguments& options, bool all) {
  if (options.json) return print(as_json(findings) + "\n");
  print(verdict_lines(findings));
  if (all) print(fmt::format("strongest that hold: {}\n", strongest(findings)));
  if (!options.quiet) print(explanations(findings, options.full));
}

Exit run(CheckArguments options) {
  auto format = format_option(options.format);
  if (!format) return fail(format.error());
  if (!options.specifications.empty())
    return check_specifications({options.histories, options.specifications, *format, options.judge.timeout,
                                 options.judge.memory, options.json, options.quiet});
  bool& all = options.judge.all;
  auto chosen = chosen_levels(options.levels, all);
  if (!chosen) return fail(chosen.error());
  if (const auto possible = options.outputs.possible_for(options.histories.size()); !possible)
    return fail(possible.error());
  options.judge.levels = std::move(chosen).value();
  options.judge.explain = options.json || !options.quiet || options.outputs.need_stories();
  bool violated = false, bad = false, undecided = false;
  for (const std::string& file : options.histories) {
    const auto judged = JudgedFile::judge(file, *format, options.judge);
    if (!judged) {
      fail(judged.error());
      options.outputs.note(file, judged.error());
      bad = true;
      continue;
    }
    for (const Finding& finding : judged->findings().levels) {
      violated |= std::holds_alternative<Violated>(finding.verdict);
      undecided |= std::holds_alternative<Undecided>(finding.verdict);
    }
    print_findings(judged->findings(), options, all);
    if (const auto written = options.outputs.write(judged->findings()); !written) {
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
  command.add_option("--level", options->levels, "Levels, separated by commas, or all (default: ser)");
  command.add_option("--format", options->format,
                     "Format of the input; recognised by content when not given");
  command.add_option("--timeout", options->judge.timeout, "Seconds per level; then the verdict is undecided")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--memory", options->judge.memory,
                     "Megabytes of resident memory; then the verdict is undecided");
  command.add_option("--skew", options->judge.skew,
                     "Nanoseconds by which the clocks of clients may differ, for the levels of real time (0)")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--threads", options->judge.threads,
                     "Searches at once, where one takes longer than a second (default: 1)")
      ->check(CLI::Range(1, 256));
  command.add_option("--report", options->outputs.report,
                     "Write a page to look at and pass on: one HTML file, offline");
  command.add_option("--dot", options->outputs.dot, "Write the violation as a graph for Graphviz");
  command.add_option("--svg", options->outputs.svg, "Write the violation as a picture (needs Graphviz)");
  command.add_option("--junit", options->outputs.junit, "Write the verdicts as JUnit XML, for CI");
  command.add_option("--certificate", options->outputs.certificate,
                     "Write the evidence there, for assay certify");
  command.add_flag("--json", options->json, "One JSON object per history");
  command.add_flag("--verbose", options->judge.verbose, "Say on stderr how each verdict came about");
  return options;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit, const std::string& command_line) {
  CLI::App* command = app.add_subcommand("check", "Judge whether histories satisfy isolation levels");
  auto options = add_options(*command, command_line);
  command->add_flag("--quiet", options->quiet, "Verdicts only, no explanations");
  command->add_option("--spec", options->specifications,
                      "Judge small histories by specifications instead of levels: biswas:SI or FILE:LEVEL")
      ->excludes("--level");
  command->add_flag("--no-greedy", options->judge.no_greedy,
                    "Do not try a serial execution first (to measure)");
  command->add_flag("--no-saturation", options->judge.no_saturation,
                    "Search without derived facts (to measure)");
  command->add_flag("--no-assumption", options->judge.no_assumption,
                    "Do not assume the order of what is far apart in a long search (to measure)");
  command->add_flag("--eager-choices", options->judge.eager_choices,
                    "Make every choice at the start (to measure)");
  command->footer(
      "Examples:\n"
      "  assay check --level ser,si history.edn\n"
      "  assay check --level all --json history.jsonl\n"
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
      "  assay explain --level ser --svg violation.svg history.jsonl");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

#include "cli/specifications.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <sstream>

#include "cli/judging.h"
#include "cli/outputs.h"
#include "history/scalar.h"
#include "report/part_text.h"
#include "spec/load.h"
#include "synthesis/facts.h"
#include "synthesis/narrate.h"

namespace assay::cli {
namespace {

constexpr std::size_t kLargestScope = 12;

Result<synthesis::Scope> parse_scope(const ScopeArguments& arguments) {
  const Error problem =
      error(fmt::format("{} is no scope", arguments.scope),
            fmt::format("TRANSACTIONS,OBJECTS,VALUES, each from 1 to {}, such as 4,3,3", kLargestScope));
  std::vector<std::size_t> numbers;
  std::istringstream list(arguments.scope);
  for (std::string word; std::getline(list, word, ',');) {
    std::size_t number = 0;
    const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (wrong != std::errc() || end != word.data() + word.size() || number < 1 || number > kLargestScope)
      return problem;
    numbers.push_back(number);
  }
  if (numbers.size() != 3 || arguments.scope.back() == ',') return problem;
  return synthesis::Scope{numbers[0], numbers[1], numbers[2], arguments.duplicates,
                          !arguments.no_blind_writes};
}

std::string comment(const std::string& text) { return "# " + text + "\n"; }

std::size_t values_in(const spec::HistoryFacts& facts) {
  std::set<std::uint32_t> values;
  for (const auto& read : facts.reads) values.insert(read.value);
  for (const auto& write : facts.writes) values.insert(write[2]);
  return values.size();
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::size_t operations_in(const spec::HistoryFacts& facts) {
  return facts.reads.size() + facts.writes.size() - facts.objects;  // not counting initial writes
}

std::string refuted(const synthesis::Refutation& refutation) {
  if (refutation.witnesses == 0) return "no witness exists (a proof of that was checked); for example";
  return fmt::format("none of the {} possible witnesses fits; for example",
                     with_commas(refutation.witnesses));
}

}  // namespace

void add_scope_options(CLI::App& command, ScopeArguments& arguments) {
  command.add_option(
      "--scope", arguments.scope,
      "Largest histories: TRANSACTIONS,OBJECTS,VALUES; without the initial transaction, with the initial "
      "value (default: 4,3,3)");
  command.add_flag("--duplicates", arguments.duplicates, "Values may be written more than once");
  command.add_flag("--no-blind-writes", arguments.no_blind_writes, "Only what was read is written");
  command.add_option("--timeout", arguments.timeout, "Seconds, after which the answer is undecided")
      ->check(at_least_zero());
  command.add_option("--memory", arguments.memory,
                     "Megabytes of resident memory, beyond which the answer is undecided");
  command.add_flag("--verbose", arguments.verbose, "Say on stderr what it took");
  command.add_flag("--no-symmetry", arguments.no_symmetry, "Do not break symmetries (to measure)");
  command.add_flag("--no-symbolic", arguments.no_symbolic, "Do not try witnesses by terms (to measure)");
  command.add_flag("--no-shortcuts", arguments.no_shortcuts,
                   "Do not decide simple levels by cycles (to measure)");
  command.add_flag("--no-generalising", arguments.no_generalising,
                   "Take counterexamples as they are (to measure)");
  command.add_flag("--fresh-verifiers", arguments.fresh_verifiers,
                   "A new solver for each candidate (to measure)");
}

Result<synthesis::FindOptions> find_options(const ScopeArguments& arguments, Budget& budget) {
  const auto scope = parse_scope(arguments);
  if (!scope) return scope.error();
  synthesis::FindOptions options;
  options.scope = *scope;
  options.search = {.numbered = !arguments.no_symmetry,
                    .symbolic = !arguments.no_symbolic,
                    .shortcut = !arguments.no_shortcuts,
                    .generalise = !arguments.no_generalising,
                    .incremental = !arguments.fresh_verifiers};
  options.stop = stop_of(budget);
  return options;
}

Result<std::vector<spec::Specification>> load_specifications(const std::vector<std::string>& lists) {
  std::vector<spec::Specification> specifications;
  for (const std::string& list : lists) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
      auto loaded = spec::load_specification(word);
      if (!loaded) return std::move(loaded).error();
      specifications.push_back(std::move(loaded).value());
    }
  }
  return specifications;
}

std::string in_words(const synthesis::Scope& scope) {
  std::string text = fmt::format("{}, {} and {}", counted(scope.transactions, "transaction"),
                                 counted(scope.objects, "object"), counted(scope.values, "value"));
  if (scope.duplicates) text += ", with values written more than once";
  if (!scope.blind_writes) text += ", without blind writes";
  return text;
}

std::string as_hist(const synthesis::Problem& problem, const synthesis::Found& found) {
  const spec::HistoryFacts& facts = found.solution.facts;
  const synthesis::Names names = synthesis::names_of_found(facts);
  std::string text =
      comment(fmt::format("{}, {}, {}, {}", counted(facts.transactions - 1, "transaction"),
                          counted(operations_in(facts), "operation"), counted(facts.objects, "object"),
                          counted(values_in(facts), "value")));
  for (std::size_t i = 0; i < problem.allow.size(); ++i) {
    text += comment(fmt::format("allowed by {} with", problem.allow[i].name));
    for (const std::string& line : describe_witnesses(problem.allow[i], found.solution.allowed[i], names))
      text += comment("  " + line);
  }
  for (std::size_t i = 0; i < problem.forbid.size(); ++i) {
    text +=
        comment(fmt::format("forbidden by {}: {}", problem.forbid[i].name, refuted(found.refutations[i])));
    for (const std::string& line : why_forbidden(problem.forbid[i], facts, names))
      text += comment("  " + line);
  }
  return text + part_text(synthesis::history_of(facts), "hist");
}

std::string json_text(std::string_view text) {
  std::string json;
  print_json_string(text, json);
  return json;
}

std::string json_list(const std::vector<std::string>& words) {
  std::string json = "[";
  for (const std::string& word : words) json += (json.size() > 1 ? "," : "") + json_text(word);
  return json + "]";
}

std::string found_as_json(const synthesis::Problem& problem, const synthesis::Found& found) {
  const spec::HistoryFacts& facts = found.solution.facts;
  const synthesis::Names names = synthesis::names_of_found(facts);
  std::string json = fmt::format(
      "{{\"transactions\":{},\"operations\":{},\"objects\":{},\"values\":{},\"hist\":{},\"allowed\":[",
      facts.transactions - 1, operations_in(facts), facts.objects, values_in(facts),
      json_text(part_text(synthesis::history_of(facts), "hist")));
  for (std::size_t i = 0; i < problem.allow.size(); ++i)
    json +=
        fmt::format("{}{{\"spec\":{},\"witnesses\":{}}}", i == 0 ? "" : ",", json_text(problem.allow[i].name),
                    json_list(describe_witnesses(problem.allow[i], found.solution.allowed[i], names)));
  json += "],\"forbidden\":[";
  for (std::size_t i = 0; i < problem.forbid.size(); ++i)
    json += fmt::format("{}{{\"spec\":{},\"witnesses_tried\":{},\"why\":{}}}", i == 0 ? "" : ",",
                        json_text(problem.forbid[i].name), found.refutations[i].witnesses,
                        json_list(why_forbidden(problem.forbid[i], facts, names)));
  return json + "]}";
}

void describe_effort(const synthesis::Effort& effort) {
  warn(fmt::format(
      "{} candidates, {} instances, {} levels decided by cycles; largest formula {} gates, {} clauses",
      effort.candidates, effort.instances, effort.shortcuts, with_commas(effort.gates),
      with_commas(effort.clauses)));
}

Result<void> write_found_report(const synthesis::Found& found, const std::string& file,
                                const std::string& command) {
  JudgeOptions options;
  options.all = true;
  for (const LevelRow& level : levels()) options.levels.push_back(level.level);
  const auto findings = judge_for_user(synthesis::history_of(found.solution.facts), "found", "hist", options);
  if (!findings) return findings.error();
  Outputs outputs;
  outputs.report = file;
  outputs.command = command;
  return outputs.write(*findings);
}

}  // namespace assay::cli

#include "cli/specifications.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "history/scalar.h"
#include "spec/load.h"
#include "synthesis/narrate.h"

namespace assay::cli {
namespace {

constexpr std::size_t kLargestScope = 12;

Result<synthesis::Scope> parse_scope(const ScopeArguments& arguments) {
  const Error problem =
      error(fmt::format("{} is no scope", arguments.scope),
            fmt::format("TRANSACTIONS,OBJECTS or TRANSACTIONS,OBJECTS,VALUES, each from 1 to {}, such as 4,3",
                        kLargestScope));
  std::vector<std::size_t> numbers;
  std::istringstream list(arguments.scope);
  for (std::string word; std::getline(list, word, ',');) {
    std::size_t number = 0;
    const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (wrong != std::errc() || end != word.data() + word.size() || number < 1 ||
        number > kLargestScope + (numbers.size() == 2 ? 1 : 0))
      return problem;
    numbers.push_back(number);
  }
  // With so many values all transactions may write an object, so values restrict nothing.
  if (numbers.size() == 2) numbers.push_back(numbers[0] + 1);
  if (numbers.size() != 3 || arguments.scope.back() == ',') return problem;
  return synthesis::Scope{numbers[0],
                          numbers[1],
                          numbers[2],
                          arguments.duplicates,
                          !arguments.no_blind_writes,
                          !arguments.no_sessions,
                          !arguments.non_repeatable_reads};
}

std::string comment(const std::string& text) { return "# " + text + "\n"; }

}  // namespace

void add_scope_options(CLI::App& command, ScopeArguments& arguments) {
  command.add_option(
      "--scope", arguments.scope,
      "Largest histories: TRANSACTIONS,OBJECTS,VALUES; without the initial transaction, with the initial "
      "value, which defaults to one more than transactions (default: 4,3)");
  command.add_flag("--duplicates", arguments.duplicates, "Values may be written more than once");
  command.add_flag("--no-blind-writes", arguments.no_blind_writes, "Only what was read is written");
  command.add_flag("--non-repeatable-reads", arguments.non_repeatable_reads,
                   "A transaction may read several versions of an object");
  command.add_flag("--no-sessions", arguments.no_sessions, "Each transaction is the only one of its session");
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
  if (scope->duplicates && !scope->repeatable_reads)
    return error("--duplicates and --non-repeatable-reads do not go together", "choose one of them");
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
      for (const std::string& warning : spec::idle_witnesses(*loaded)) warn(warning);
      specifications.push_back(std::move(loaded).value());
    }
  }
  return specifications;
}

std::string scope_as_json(const synthesis::Scope& scope) {
  return fmt::format(
      "\"scope\":[{},{},{}],\"duplicates\":{},\"blind_writes\":{},\"sessions\":{}"
      ",\"repeatable_reads\":{}",
      scope.transactions, scope.objects, scope.values, scope.duplicates, scope.blind_writes, scope.sessions,
      scope.repeatable_reads);
}

std::string as_hist(const synthesis::Problem& problem, const synthesis::Found& found) {
  const spec::HistoryFacts& facts = found.solution.facts;
  const synthesis::Names names = synthesis::names_of_found(facts);
  std::string text = comment(spec_report::size_in_words(facts));
  for (std::size_t i = 0; i < problem.allow.size(); ++i) {
    text += comment(fmt::format("allowed by {} with", problem.allow[i].name));
    for (const std::string& line : describe_witnesses(problem.allow[i], found.solution.allowed[i], names))
      text += comment("  " + line);
  }
  for (std::size_t i = 0; i < problem.forbid.size(); ++i) {
    text += comment(fmt::format("forbidden by {}: {}; for example", problem.forbid[i].name,
                                spec_report::refuted(found.refutations[i])));
    for (const std::string& line : why_forbidden(problem.forbid[i], facts, names))
      text += comment("  " + line);
  }
  return text + hist_text(facts);
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
      facts.transactions - 1, spec_report::operations_in(facts), facts.objects, spec_report::values_in(facts),
      json_text(hist_text(facts)));
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

}  // namespace assay::cli

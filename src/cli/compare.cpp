// `assay compare`: how two specifications are related within a scope.
#include "synthesis/compare.h"

#include <fmt/format.h>

#include "api/version.h"
#include "cli/specifications.h"

namespace assay::cli {
namespace {

struct CompareArguments {
  std::string first, second;
  ScopeArguments scope;
  std::string report, command;
  bool json = false;
};

std::string comparison_as_text(const synthesis::Problem& forward, const synthesis::Comparison& comparison,
                               const synthesis::Scope& scope) {
  const std::string &first = forward.allow[0].name, &second = forward.forbid[0].name;
  std::string text;
  switch (comparison.relation) {
    case synthesis::Relation::Equivalent:
      text =
          fmt::format("{} and {} are equivalent for histories of up to {}\n", first, second, in_words(scope));
      break;
    case synthesis::Relation::Incomparable:
      text = fmt::format("{} and {} are incomparable\n", first, second);
      break;
    case synthesis::Relation::Undecided:
      text = fmt::format("{} and {}: undecided: {}\n", first, second,
                         why_undecided(comparison.why_undecided, comparison.finished));
      break;
    default:
      text = fmt::format("{} is {} than {}: for histories of up to {}, {} allows all that {} allows\n", first,
                         word(comparison.relation), second, in_words(scope),
                         comparison.relation == synthesis::Relation::Weaker ? first : second,
                         comparison.relation == synthesis::Relation::Weaker ? second : first);
  }
  if (comparison.only_first)
    text += fmt::format("\n# allowed by {} only\n{}", first, as_hist(forward, *comparison.only_first));
  if (comparison.only_second)
    text += fmt::format("\n# allowed by {} only\n{}", second,
                        as_hist({forward.forbid, forward.allow}, *comparison.only_second));
  return text;
}

std::string comparison_as_json(const synthesis::Problem& forward, const synthesis::Comparison& comparison,
                               const synthesis::Scope& scope) {
  const auto side = [&](const std::optional<synthesis::Found>& found, const synthesis::Problem& problem) {
    return found ? found_as_json(problem, *found) : std::string("null");
  };
  return fmt::format(
      "{{\"schema\":1,\"first\":{},\"second\":{},\"relation\":\"{}\",{}{},\"only_first\":{}"
      ",\"only_second\":{}}}\n",
      json_text(forward.allow[0].name), json_text(forward.forbid[0].name), word(comparison.relation),
      comparison.relation == synthesis::Relation::Undecided
          ? fmt::format("\"reason\":{},\"finished\":{},", json_text(comparison.why_undecided),
                        comparison.finished)
          : "",
      scope_as_json(scope), side(comparison.only_first, forward),
      side(comparison.only_second, {forward.forbid, forward.allow}));
}

Exit run(const CompareArguments& arguments) {
  auto specs = load_specifications({arguments.first, arguments.second});
  if (!specs) return fail(specs.error());
  if (specs->size() != 2)
    return fail(error("compare takes two specifications", "assay lattice compares several"));
  const synthesis::Problem forward{{(*specs)[0]}, {(*specs)[1]}};
  ProgressLine line("comparing");
  Budget budget(command_limits(arguments.scope.timeout, arguments.scope.memory, line));
  auto options = find_options(arguments.scope, budget);
  if (!options) return fail(options.error());
  options->minimal = true;
  budget.restart();
  const auto comparison = synthesis::compare((*specs)[0], (*specs)[1], *options);
  line.clear();
  if (!comparison) return fail(comparison.error());
  print(arguments.json ? comparison_as_json(forward, *comparison, options->scope)
                       : comparison_as_text(forward, *comparison, options->scope));
  if (!arguments.report.empty())
    if (const auto written = write_text(
            arguments.report,
            spec_report::compare_page(forward, *options, *comparison, {version(), arguments.command}));
        !written)
      return fail(written.error());
  switch (comparison->relation) {
    case synthesis::Relation::Equivalent: return Exit::Holds;
    case synthesis::Relation::Undecided:
      return comparison->only_first || comparison->only_second ? Exit::Found : Exit::Undecided;
    default: return Exit::Found;
  }
}

}  // namespace

void add_compare(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto arguments = std::make_shared<CompareArguments>();
  arguments->command = command_line;
  CLI::App* command =
      app.add_subcommand("compare", "Say how two specifications relate, with histories that tell them apart");
  command->add_option("FIRST", arguments->first, "A specification: biswas:SI or FILE:LEVEL")->required();
  command->add_option("SECOND", arguments->second, "The one to compare it with")->required();
  add_scope_options(*command, arguments->scope);
  command->add_option("--report", arguments->report,
                      "Write a page with the histories drawn, and the reasons");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "Exits with 0 when they are equivalent within the scope, with 1 when a history tells them apart.\n\n"
      "Examples:\n"
      "  assay compare plume:RA biswas:RA\n"
      "  assay compare cerone:SER biswas:SER --scope 6,5,5");
  command->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace assay::cli

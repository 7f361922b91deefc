// `assay lattice`: how several specifications are related, as a list or a picture.
#include <fmt/format.h>

#include <algorithm>

#include "api/version.h"
#include "cli/specifications.h"
#include "spec_report/drawings.h"
#include "synthesis/compare.h"

namespace assay::cli {
namespace {

struct LatticeArguments {
  std::vector<std::string> specifications;
  ScopeArguments scope;
  std::string dot, svg, report, command;
  bool json = false;
};

std::string history_text(const synthesis::Lattice& lattice, std::size_t separation) {
  return hist_text(lattice.separations[separation].facts);
}

// Draws edges from weaker to stronger specifications. Each shows a history that only the weaker one allows.
std::string lattice_as_dot(const synthesis::Lattice& lattice, const synthesis::Scope& scope) {
  Drawing drawing = spec_report::drawing_of(lattice);
  drawing.title = "histories of up to " + in_words(scope);
  return as_dot({drawing}, DrawingStyle::Lattice);
}

std::string lattice_as_text(const synthesis::Lattice& lattice, const synthesis::Scope& scope) {
  std::string text;
  const std::size_t n = lattice.names.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      if (lattice.equivalent(i, j) && lattice.is_first_of_its_kind(i))
        text += fmt::format("{} = {}\n", lattice.names[i], lattice.names[j]);
  std::string histories;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (!lattice.covers(i, j)) continue;
      text += fmt::format("{} > {}\n", lattice.names[i], lattice.names[j]);
      if (const auto separation = lattice.separated_by[j][i])
        histories += fmt::format("\n# allowed by {}, forbidden by {}\n{}", lattice.names[j], lattice.names[i],
                                 history_text(lattice, *separation));
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool kinds = lattice.is_first_of_its_kind(i) && lattice.is_first_of_its_kind(j);
      if (kinds && lattice.implies[i][j] == false && lattice.implies[j][i] == false)
        text += fmt::format("{} and {} are incomparable\n", lattice.names[i], lattice.names[j]);
      if (!lattice.implies[i][j] || !lattice.implies[j][i])
        text += fmt::format(
            "{} and {}: undecided: {}\n", lattice.names[i], lattice.names[j],
            why_undecided(lattice.why_undecided, std::min(lattice.finished[i][j], lattice.finished[j][i])));
    }
  return text + fmt::format("(> is stronger, = equivalent, for histories of up to {})\n", in_words(scope)) +
         histories;
}

std::string lattice_as_json(const synthesis::Lattice& lattice, const synthesis::Scope& scope) {
  std::string json = fmt::format("{{\"schema\":1,{},\"levels\":{},\"implies\":[", scope_as_json(scope),
                                 json_list(lattice.names));
  const std::size_t n = lattice.names.size();
  for (std::size_t i = 0; i < n; ++i) {
    json += i == 0 ? "[" : ",[";
    for (std::size_t j = 0; j < n; ++j) {
      const auto& implied = lattice.implies[i][j];
      json += fmt::format("{}{}", j == 0 ? "" : ",", !implied ? "null" : *implied ? "true" : "false");
    }
    json += "]";
  }
  json += "],\"histories\":[";
  for (std::size_t i = 0; i < lattice.separations.size(); ++i)
    json += fmt::format("{}{{\"allowed\":{},\"forbidden\":{},\"hist\":{}}}", i == 0 ? "" : ",",
                        json_text(lattice.names[lattice.separations[i].allowed]),
                        json_text(lattice.names[lattice.separations[i].forbidden]),
                        json_text(history_text(lattice, i)));
  return json + "]}\n";
}

Exit run(const LatticeArguments& arguments) {
  const auto specs = load_specifications(arguments.specifications);
  if (!specs) return fail(specs.error());
  ProgressLine line("comparing");
  Budget budget(command_limits(arguments.scope.timeout, arguments.scope.memory, line));
  auto options = find_options(arguments.scope, budget);
  if (!options) return fail(options.error());
  options->minimal = true;
  budget.restart();
  const auto lattice = synthesis::lattice(*specs, *options);
  line.clear();
  if (!lattice) return fail(lattice.error());
  print(arguments.json ? lattice_as_json(*lattice, options->scope)
                       : lattice_as_text(*lattice, options->scope));
  if (!arguments.dot.empty())
    if (const auto written = write_text(arguments.dot, lattice_as_dot(*lattice, options->scope)); !written)
      return fail(written.error());
  if (!arguments.svg.empty()) {
    const auto picture = draw_svg(lattice_as_dot(*lattice, options->scope));
    if (!picture) return fail(picture.error());
    if (const auto written = write_text(arguments.svg, *picture); !written) return fail(written.error());
  }
  if (!arguments.report.empty())
    if (const auto written =
            write_text(arguments.report,
                       spec_report::lattice_page(*specs, *options, *lattice, {version(), arguments.command}));
        !written)
      return fail(written.error());
  return lattice->why_undecided.empty() ? Exit::Holds : Exit::Undecided;
}

}  // namespace

void add_lattice(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto arguments = std::make_shared<LatticeArguments>();
  arguments->command = command_line;
  CLI::App* command = app.add_subcommand("lattice", "Compare every pair of several specifications");
  command->add_option("SPEC", arguments->specifications, "Specifications: biswas:SI or FILE:LEVEL")
      ->required();
  add_scope_options(*command, arguments->scope);
  command->add_option("--dot", arguments->dot, "Write the lattice as a graph for Graphviz");
  command->add_option("--svg", arguments->svg, "Write it as a picture (needs Graphviz)");
  command->add_option("--report", arguments->report,
                      "Write a page with the picture and a history for each line");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "Examples:\n"
      "  assay lattice cerone:RA cerone:UA cerone:CC cerone:PSI cerone:PC cerone:SI cerone:SER --dot l.dot\n"
      "  assay lattice biswas:SI cerone:SI adya:SI crooks:SessionSI");
  command->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace assay::cli

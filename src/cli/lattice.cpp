// `assay lattice`: how several specifications are related, as a list or a picture.
#include <fmt/format.h>

#include <algorithm>

#include "api/version.h"
#include "cli/proofs.h"
#include "cli/specifications.h"
#include "report/tikz.h"
#include "spec/published.h"
#include "spec_report/drawings.h"
#include "synthesis/compare.h"

namespace assay::cli {
namespace {

struct LatticeArguments {
  std::vector<std::string> specifications;
  ScopeArguments scope;
  std::string dot, svg, tikz, report, command;
  bool published = false, json = false;
  bool prove = false, no_prove = false;  // --published asks for proofs by itself
};

std::string history_text(const synthesis::Lattice& lattice, std::size_t separation) {
  return hist_text(lattice.separations[separation].facts);
}

// Draws edges from weaker to stronger specifications. Each shows a history that only the weaker one allows.
Drawing lattice_drawing(const synthesis::Lattice& lattice, const synthesis::Scope& scope) {
  Drawing drawing = spec_report::drawing_of(lattice);
  drawing.title = "histories of up to " + in_words(scope);
  return drawing;
}

// Unbounded proofs for the inclusions of which the others follow.
Result<void> prove_inclusions(const std::vector<spec::Specification>& levels, synthesis::Lattice& lattice,
                              const ScopeArguments& scope, const synthesis::Stop& stop) {
  prove::ProveOptions options;
  options.sessions = !scope.no_sessions;
  options.blind_writes = !scope.no_blind_writes;
  options.repeatable_reads = !scope.non_repeatable_reads;
  options.thorough = false;
  options.stop = stop;
  for (const auto& [i, j] : lattice.inclusions_that_matter()) {
    // An error says that logic has no words for one of them, which leaves the bounded answer.
    const auto proof = prove::prove_inclusion(levels[i], levels[j], options);
    if (!proof || !*proof) continue;
    const auto confirmation = confirm(**proof, levels[j].name, 5);
    if (!confirmation) return confirmation.error();
    lattice.proved[i][j] = fmt::format("with {}; {}", (*proof)->witnesses,
                                       in_words(*confirmation, (*proof)->obligations.size()));
  }
  return {};
}

std::string proofs_as_text(const synthesis::Lattice& lattice) {
  std::string proved, open;
  std::size_t count = 0;
  const auto pairs = lattice.inclusions_that_matter();
  for (const auto& [i, j] : pairs) {
    const std::string &stronger = lattice.names[i], &weaker = lattice.names[j];
    if (lattice.proved[i][j])
      proved += fmt::format("# {} allows all that {} allows, {}\n", weaker, stronger, *lattice.proved[i][j]);
    else open += fmt::format("# {} allows all that {} allows\n", weaker, stronger);
    count += lattice.proved[i][j] ? 1 : 0;
  }
  std::string text =
      fmt::format("\n# proved for all sizes: {} of {} inclusions, from which the others follow\n", count,
                  pairs.size()) +
      proved;
  if (!open.empty())
    text += "\n# for histories within the scope; no proof was found for larger ones\n" + open;
  return text;
}

std::string lattice_as_text(const synthesis::Lattice& lattice, const synthesis::Scope& scope) {
  constexpr std::size_t kManyPairs = 100;
  std::string text;
  const std::size_t n = lattice.names.size();
  std::size_t incomparable = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      incomparable += lattice.is_first_of_its_kind(i) && lattice.is_first_of_its_kind(j) &&
                              lattice.implies[i][j] == false && lattice.implies[j][i] == false
                          ? 1
                          : 0;
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
      if (incomparable <= kManyPairs && kinds && lattice.implies[i][j] == false &&
          lattice.implies[j][i] == false)
        text += fmt::format("{} and {} are incomparable\n", lattice.names[i], lattice.names[j]);
      if (!lattice.implies[i][j] || !lattice.implies[j][i])
        text += fmt::format(
            "{} and {}: undecided: {}\n", lattice.names[i], lattice.names[j],
            why_undecided(lattice.why_undecided, std::min(lattice.finished[i][j], lattice.finished[j][i])));
    }
  if (incomparable > kManyPairs)
    text += fmt::format("{} pairs are incomparable (--json lists them)\n", incomparable);
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
  json += "],\"proved\":[";
  for (const auto& [i, j] : lattice.inclusions_that_matter())
    if (lattice.proved[i][j])
      json += fmt::format("{}{{\"from\":{},\"to\":{},\"how\":{}}}", json.back() == '[' ? "" : ",",
                          json_text(lattice.names[i]), json_text(lattice.names[j]),
                          json_text(*lattice.proved[i][j]));
  json += "],\"histories\":[";
  for (std::size_t i = 0; i < lattice.separations.size(); ++i)
    json += fmt::format("{}{{\"allowed\":{},\"forbidden\":{},\"hist\":{}}}", i == 0 ? "" : ",",
                        json_text(lattice.names[lattice.separations[i].allowed]),
                        json_text(lattice.names[lattice.separations[i].forbidden]),
                        json_text(history_text(lattice, i)));
  return json + "]}\n";
}

// All files that were asked for.
Result<void> write_pictures(const LatticeArguments& arguments, const synthesis::Lattice& lattice,
                            const synthesis::Scope& scope) {
  const Drawing drawing = lattice_drawing(lattice, scope);
  const std::string dot = as_dot({drawing}, DrawingStyle::Lattice);
  if (!arguments.dot.empty()) ASSAY_TRY(write_text(arguments.dot, dot));
  if (!arguments.svg.empty()) {
    const auto picture = draw_svg(dot);
    if (!picture) return picture.error();
    ASSAY_TRY(write_text(arguments.svg, *picture));
  }
  if (!arguments.tikz.empty()) {
    const auto picture = as_tikz(drawing, DrawingStyle::Lattice);
    if (!picture) return picture.error();
    ASSAY_TRY(write_text(arguments.tikz, *picture));
  }
  return {};
}

Exit run(const LatticeArguments& arguments) {
  std::vector<std::string> names = arguments.specifications;
  if (arguments.published)
    for (const char* level : spec::published_levels()) names.emplace_back(level);
  if (names.empty())
    return fail(error("there is nothing to compare", "name specifications, or add --published"));
  const auto specs = load_specifications(names);
  if (!specs) return fail(specs.error());
  ProgressLine line("comparing");
  Budget budget(command_limits(arguments.scope.timeout, arguments.scope.memory, line));
  ScopeArguments scope = arguments.scope;
  // Some of them are about reading two versions of an object.
  scope.non_repeatable_reads |= arguments.published && !scope.duplicates;
  auto options = find_options(scope, budget);
  if (!options) return fail(options.error());
  options->minimal = true;
  budget.restart();
  auto lattice = synthesis::lattice(*specs, *options);
  const bool prove = arguments.prove || (arguments.published && !arguments.no_prove);
  if (lattice && prove)
    if (const auto done = prove_inclusions(*specs, *lattice, scope, stop_of(budget)); !done)
      return line.clear(), fail(done.error());
  line.clear();
  if (!lattice) return fail(lattice.error());
  print(arguments.json ? lattice_as_json(*lattice, options->scope)
                       : lattice_as_text(*lattice, options->scope) + (prove ? proofs_as_text(*lattice) : ""));
  if (const auto written = write_pictures(arguments, *lattice, options->scope); !written)
    return fail(written.error());
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
  command->add_option("SPEC", arguments->specifications, "Specifications: biswas:SI or FILE:LEVEL");
  command->add_flag("--published", arguments->published,
                    "Compare the levels of the literature, and prove what holds for all sizes");
  command->add_flag("--prove", arguments->prove, "Look for proofs for histories of all sizes");
  command->add_flag("--no-prove", arguments->no_prove, "With --published: look for no proofs");
  add_scope_options(*command, arguments->scope);
  command->add_option("--dot", arguments->dot, "Write the lattice as a graph for Graphviz");
  command->add_option("--svg", arguments->svg, "Write it as a picture (needs Graphviz)");
  command->add_option("--tikz", arguments->tikz, "Write it as a LaTeX document with TikZ (needs Graphviz)");
  command->add_option("--report", arguments->report,
                      "Write a page with the picture and a history for each line");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "Examples:\n"
      "  assay lattice cerone:RA cerone:UA cerone:CC cerone:PSI cerone:PC cerone:SI cerone:SER --dot l.dot\n"
      "  assay lattice --published --report levels.html --tikz levels.tex\n"
      "  assay lattice biswas:SI cerone:SI adya:SI crooks:SessionSI");
  command->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace assay::cli

// `assay find`: finds a history that some specifications allow and others forbid.
#include <fmt/format.h>

#include <filesystem>

#include "api/version.h"
#include "cli/specifications.h"
#include "synthesis/drat.h"

namespace assay::cli {

using spec_report::as_asked, spec_report::names_of;

namespace {

struct FindArguments {
  std::vector<std::string> allow, forbid;
  ScopeArguments scope;
  std::size_t all = 0;  // 0: not said
  bool minimal = false, irreducible = false, json = false;
  std::string report, proof, command;
};

// Writes one formula and one proof for each number of transactions.
Result<void> write_proofs(const synthesis::Problem& problem, const synthesis::Scope& scope,
                          const synthesis::FindResult& result, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{"cannot be created: " + failed.message(), "", folder, ""};
  for (const synthesis::SizeProof& proof : result.proofs) {
    std::vector<std::pair<std::size_t, std::string>> comments{
        {0, fmt::format("histories of exactly {} transactions, allowed by {}", proof.transactions,
                        names_of(problem.allow))}};
    comments.emplace_back(
        0, fmt::format("up to {} objects and {} values; nothing is said about larger histories",
                       scope.objects, scope.values));
    for (const synthesis::InstanceNote& note : proof.notes)
      comments.emplace_back(
          note.first_clause,
          fmt::format("{} forbids it, so also for: {}", problem.forbid[note.forbidden].name, note.witnesses));
    const std::string base = fmt::format("{}/{}-transactions", folder, proof.transactions);
    ASSAY_TRY(write_text(base + ".cnf", synthesis::to_dimacs(proof.clauses, comments)));
    ASSAY_TRY(write_text(base + ".drat", proof.drat));
  }
  return {};
}

std::string result_as_json(const synthesis::Problem& problem, const synthesis::FindOptions& options,
                           const synthesis::FindResult& result) {
  constexpr std::string_view words[] = {"found", "none", "undecided"};
  std::string json = fmt::format("{{\"schema\":1,\"answer\":\"{}\",{},",
                                 words[static_cast<std::size_t>(result.kind)], scope_as_json(options.scope));
  if (result.kind == synthesis::FindResult::Kind::Stopped)
    json += fmt::format("\"reason\":{},\"finished\":{},", json_text(result.why_stopped), result.finished);
  json += fmt::format("\"candidates\":{},\"instances\":{},\"histories\":[", result.effort.candidates,
                      result.effort.instances);
  for (std::size_t i = 0; i < result.found.size(); ++i)
    json += (i == 0 ? "" : ",") + found_as_json(problem, result.found[i]);
  return json + "]}\n";
}

void print_result(const synthesis::Problem& problem, const synthesis::FindOptions& options,
                  const synthesis::FindResult& result) {
  for (std::size_t i = 0; i < result.found.size(); ++i) {
    if (options.all > 1) print(fmt::format("{}# history {}\n", i == 0 ? "" : "\n", i + 1));
    print(as_hist(problem, result.found[i]));
  }
  const bool stopped = result.kind == synthesis::FindResult::Kind::Stopped;
  if (stopped) warn("undecided: " + why_undecided(result.why_stopped, result.finished));
  if (stopped || (!result.found.empty() && result.found.size() == options.all)) return;
  print(fmt::format("# {} history of up to {} is {}\n# (larger histories were not searched)\n",
                    result.found.empty()  ? "no"
                    : options.irreducible ? fmt::format("{} found; no other irreducible", result.found.size())
                                          : "no other",
                    in_words(options.scope), as_asked(problem)));
}

Exit run(const FindArguments& arguments) {
  auto allow = load_specifications(arguments.allow), forbid = load_specifications(arguments.forbid);
  if (!allow) return fail(allow.error());
  if (!forbid) return fail(forbid.error());
  const synthesis::Problem problem{std::move(allow).value(), std::move(forbid).value()};
  ProgressLine line("searching");
  Budget budget(command_limits(arguments.scope.timeout, arguments.scope.memory, line));
  auto options = find_options(arguments.scope, budget);
  if (!options) return fail(options.error());
  options->minimal = arguments.minimal;
  options->irreducible = arguments.irreducible;
  options->all = arguments.all != 0 ? arguments.all : arguments.irreducible ? SIZE_MAX : 1;
  if (arguments.irreducible && options->scope.duplicates)
    return fail(error("--irreducible and --duplicates do not go together",
                      "with duplicate values it is open who was read from"));
  options->proofs = !arguments.proof.empty();
  const auto asks_more = [](const spec::Specification& spec) {
    return spec.uses_clocks || !spec.labels.empty();
  };
  const bool more = !options->scope.repeatable_reads || std::ranges::any_of(problem.allow, asks_more) ||
                    std::ranges::any_of(problem.forbid, asks_more);
  if (arguments.irreducible && more)
    return fail(error("--irreducible does not go with real time, labels or --non-repeatable-reads",
                      "ask for some histories with --all N"));
  if (options->all > 1 && !options->irreducible && options->scope.transactions > 8)
    return fail(error("--all needs a scope of at most 8 transactions",
                      "renamings of larger histories are too many to compare"));
  budget.restart();
  const auto result = find(problem, *options);
  line.clear();
  if (!result) return fail(result.error());
  if (arguments.scope.verbose) describe_effort(result->effort);
  if (arguments.json) print(result_as_json(problem, *options, *result));
  else print_result(problem, *options, *result);
  if (!arguments.report.empty())
    if (const auto written =
            write_text(arguments.report,
                       spec_report::find_page(problem, *options, *result, {version(), arguments.command}));
        !written)
      return fail(written.error());
  if (!arguments.proof.empty())
    if (const auto written = write_proofs(problem, options->scope, *result, arguments.proof); !written)
      return fail(written.error());
  if (!arguments.proof.empty() && !arguments.json)
    for (const synthesis::SizeProof& proof : result->proofs)
      print(fmt::format("# proof checked: {}/{}-transactions.cnf and .drat\n", arguments.proof,
                        proof.transactions));
  if (!result->found.empty()) return Exit::Found;
  return result->kind == synthesis::FindResult::Kind::Stopped ? Exit::Undecided : Exit::Holds;
}

}  // namespace

void add_find(CLI::App& app, Exit& exit, const std::string& command_line) {
  auto arguments = std::make_shared<FindArguments>();
  arguments->command = command_line;
  CLI::App* command =
      app.add_subcommand("find", "Find a history that some specifications allow and others forbid");
  command->add_option("--allow", arguments->allow, "Specifications that allow it, separated by commas");
  command->add_option("--forbid", arguments->forbid, "Specifications that forbid it, separated by commas");
  add_scope_options(*command, arguments->scope);
  command->add_flag("--minimal", arguments->minimal, "Fewest transactions, then operations, objects, values");
  command->add_option("--all", arguments->all, "Find this many histories, none a renaming of another")
      ->check(CLI::Range(1, 100000));
  command->add_flag("--irreducible", arguments->irreducible,
                    "All histories that contain no smaller one, up to renaming");
  command->add_option("--report", arguments->report,
                      "Write a page with the question, the histories drawn, and the reasons");
  command->add_option("--proof", arguments->proof,
                      "Write the formula and a DRAT proof for each size without a history to this folder");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "A specification is framework:LEVEL for a built-in one (adya, biswas, cerone, cerone2015, crooks, "
      "plume), "
      "or FILE:LEVEL.\n"
      "What it prints is a history that assay check can read. Exits with 1 when there is one, with 0 when "
      "there is none\n"
      "in the scope, with 3 when a limit was reached first.\n\n"
      "Examples:\n"
      "  assay find --allow biswas:SI,biswas:UpdateSer --forbid biswas:SER --no-sessions --minimal\n"
      "  assay find --allow cerone:NLU --forbid cerone:UA --all 3\n"
      "  assay find --allow cerone:SER --forbid biswas:SER --scope 6,5,5 --proof proofs");
  command->callback([arguments, &exit] {
    exit = arguments->allow.empty() && arguments->forbid.empty()
               ? fail(error("nothing is asked", "give --allow, --forbid or both"))
               : run(*arguments);
  });
}

}  // namespace assay::cli

// `assay prove`: whether one specification allows only what another allows, for histories of every size.
#include "prove/prove.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/proofs.h"
#include "cli/specifications.h"
#include "synthesis/compare.h"

namespace assay::cli {
namespace {

struct ProveArguments {
  std::string first, second, smt;
  ScopeArguments scope;
  bool json = false;
};

// One direction: everything that `from` allows is allowed by `to`.
struct Inclusion {
  const spec::Specification *from, *to;
  const std::optional<synthesis::Found>* history;  // that only `from` allows
  std::optional<prove::InclusionProof> proof{};
  std::string why_not{};  // there is neither
  Confirmation confirmation{};
};

Result<void> prove_direction(Inclusion& inclusion, const ScopeArguments& scope, Budget& budget) {
  if (*inclusion.history) return {};
  prove::ProveOptions options;
  options.sessions = !scope.no_sessions;
  options.blind_writes = !scope.no_blind_writes;
  options.repeatable_reads = !scope.non_repeatable_reads;
  options.stop = stop_of(budget);
  auto proof = prove::prove_inclusion(*inclusion.from, *inclusion.to, options);
  if (!proof) {
    inclusion.why_not = fmt::format("{} ({})", proof.error().what, proof.error().remedy);
    return {};
  }
  inclusion.proof = std::move(proof).value();
  if (!inclusion.proof) inclusion.why_not = "Z3 found no proof";
  if (!inclusion.proof) return {};
  auto confirmation = confirm(*inclusion.proof, inclusion.to->name, 20);
  if (!confirmation) return std::move(confirmation).error();
  inclusion.confirmation = *confirmation;
  return {};
}

std::string proof_in_words(const Inclusion& inclusion, const synthesis::Scope& scope) {
  const std::string &from = inclusion.from->name, &to = inclusion.to->name;
  if (*inclusion.history) return {};
  if (!inclusion.proof)
    return fmt::format(
        "# {} allows all that {} allows, for histories of up to {}; for larger ones it is undecided: {}\n",
        to, from, in_words(scope), inclusion.why_not);
  const std::size_t all = inclusion.proof->obligations.size();
  return fmt::format("# {} allows all that {} allows, with {}\n#   proved by Z3 in {} step{}; {}\n", to, from,
                     inclusion.proof->witnesses, all, all == 1 ? "" : "s",
                     in_words(inclusion.confirmation, all));
}

std::string answer_in_words(const Inclusion& forward, const Inclusion& backward,
                            const synthesis::Scope& scope) {
  const std::string &a = forward.from->name, &b = forward.to->name;
  const bool differ = forward.history->has_value() || backward.history->has_value();
  if (forward.history->has_value() && backward.history->has_value())
    return fmt::format("{} and {} are incomparable\n", a, b);
  if (!differ && forward.proof && backward.proof)
    return fmt::format("{} and {} are equivalent for histories of all sizes\n", a, b);
  if (!differ)
    return fmt::format(
        "{} and {} are equivalent for histories of up to {}; for larger ones it is undecided\n", a, b,
        in_words(scope));
  const Inclusion& holds = forward.history->has_value() ? backward : forward;
  return fmt::format("{} is {} than {}, for histories of {}\n", a,
                     forward.history->has_value() ? "weaker" : "stronger", b,
                     holds.proof ? std::string("all sizes")
                                 : fmt::format("up to {}; for larger ones it is undecided", in_words(scope)));
}

std::string inclusion_as_json(const Inclusion& inclusion) {
  std::string json = fmt::format("{{\"from\":{},\"to\":{},\"answer\":\"{}\"", json_text(inclusion.from->name),
                                 json_text(inclusion.to->name),
                                 *inclusion.history ? "refuted"
                                 : inclusion.proof  ? "proved"
                                                    : "undecided");
  if (*inclusion.history)
    json += fmt::format(",\"history\":{}",
                        found_as_json({{*inclusion.from}, {*inclusion.to}}, **inclusion.history));
  if (inclusion.proof)
    json += fmt::format(
        ",\"witnesses\":{},\"steps\":{},\"confirmed_by_cvc5\":{}", json_text(inclusion.proof->witnesses),
        inclusion.proof->obligations.size(),
        inclusion.confirmation.is_installed ? fmt::format("{}", inclusion.confirmation.steps) : "null");
  if (!inclusion.why_not.empty()) json += fmt::format(",\"reason\":{}", json_text(inclusion.why_not));
  return json + "}";
}

Result<void> write_obligations(const Inclusion& inclusion, const std::string& folder, std::string_view name) {
  if (!inclusion.proof) return {};
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{"cannot be created: " + failed.message(), "", folder, ""};
  std::size_t number = 0;
  for (const prove::Obligation& obligation : inclusion.proof->obligations) {
    const std::string head = fmt::format(
        "; {} allows only what {} allows, with {}\n; step {}: {}\n; unsatisfiable means proved\n",
        inclusion.from->name, inclusion.to->name, inclusion.proof->witnesses, number + 1, obligation.name);
    ASSAY_TRY(write_text(fmt::format("{}/{}-{}.smt2", folder, name, ++number), head + obligation.smt));
  }
  return {};
}

Exit run(const ProveArguments& arguments) {
  auto specs = load_specifications({arguments.first, arguments.second});
  if (!specs) return fail(specs.error());
  if (specs->size() != 2)
    return fail(error("prove takes two specifications", "assay lattice compares several"));
  ProgressLine line("proving");
  Budget budget(command_limits(arguments.scope.timeout, arguments.scope.memory, line));
  auto options = find_options(arguments.scope, budget);
  if (!options) return fail(options.error());
  options->minimal = true;
  budget.restart();
  const spec::Specification &first = (*specs)[0], &second = (*specs)[1];
  const auto comparison = synthesis::compare(first, second, *options);
  if (!comparison) return line.clear(), fail(comparison.error());
  Inclusion forward{&first, &second, &comparison->only_first};
  Inclusion backward{&second, &first, &comparison->only_second};
  synthesis::Scope looked_at = options->scope;
  if (!comparison->why_undecided.empty()) looked_at.transactions = comparison->finished;
  for (Inclusion* inclusion : {&forward, &backward})
    if (const auto done = prove_direction(*inclusion, arguments.scope, budget); !done)
      return line.clear(), fail(done.error());
  line.clear();
  if (!arguments.smt.empty())
    for (const auto& [inclusion, name] :
         {std::pair(&forward, "first-in-second"), {&backward, "second-in-first"}})
      if (const auto written = write_obligations(*inclusion, arguments.smt, name); !written)
        return fail(written.error());
  if (arguments.json) {
    print(fmt::format("{{\"schema\":1,{},\"inclusions\":[{},{}]}}\n", scope_as_json(looked_at),
                      inclusion_as_json(forward), inclusion_as_json(backward)));
  } else {
    std::string text = answer_in_words(forward, backward, looked_at);
    for (const Inclusion* inclusion : {&forward, &backward}) text += proof_in_words(*inclusion, looked_at);
    for (const Inclusion* inclusion : {&forward, &backward})
      if (*inclusion->history)
        text += fmt::format("\n# allowed by {} only\n{}", inclusion->from->name,
                            as_hist({{*inclusion->from}, {*inclusion->to}}, **inclusion->history));
    print(text);
  }
  if (*forward.history || *backward.history) return Exit::Found;
  return forward.proof && backward.proof ? Exit::Holds : Exit::Undecided;
}

}  // namespace

void add_prove(CLI::App& app, Exit& exit) {
  auto arguments = std::make_shared<ProveArguments>();
  CLI::App* command =
      app.add_subcommand("prove", "Prove how two specifications relate for histories of all sizes");
  command->add_option("FIRST", arguments->first, "A specification: biswas:SI or FILE:LEVEL")->required();
  command->add_option("SECOND", arguments->second, "The one to compare it with")->required();
  add_scope_options(*command, arguments->scope);
  command->add_option("--smt", arguments->smt, "Write the steps of the proof there, as SMT-LIB");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "First it looks for a history within the scope that tells them apart; where there is none, for a "
      "proof.\n"
      "Exits with 0 when they are proved to be equivalent, with 1 when a history tells them apart, with 3 "
      "when there "
      "is\nneither.\n\n"
      "Examples:\n"
      "  assay prove biswas:SI cerone:SI\n"
      "  assay prove biswas:CC cerone:CC --smt proof");
  command->callback([arguments, &exit] { exit = run(*arguments); });
}

}  // namespace assay::cli

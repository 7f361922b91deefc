#include <cstdio>

#include "cli/command.h"

namespace {

using assay::cli::Exit;

constexpr const char* kOverview = R"(Assay tests the metal of transaction isolation.

  assay check HISTORY               does it satisfy an isolation level, and if not, why
  assay certify HISTORY CERTIFICATE check the evidence for a verdict, independently of what found it
  assay stats HISTORY               what a history is made of
  assay convert IN OUT              from any format to any other
  assay generate OUT                a history of a chosen level, from a simulated store
  assay levels                      the isolation levels and what implies what

Try it:
  assay generate --isolation si --txns 1000 h.jsonl
  assay check --level all h.jsonl
  assay stats h.jsonl

Every command explains itself: assay COMMAND --help
)";

int usage_error(const CLI::App& app, const CLI::ParseError& problem) {
  const auto chosen = app.get_subcommands();
  const std::string help = chosen.empty() ? "assay --help" : "assay " + chosen.front()->get_name() + " --help";
  std::fprintf(stderr, "assay: %s (try %s)\n", problem.what(), help.c_str());
  return static_cast<int>(Exit::Bad);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Assay: did the database keep its isolation promise?", "assay"};
  app.set_version_flag("--version", "assay " ASSAY_VERSION);
  app.require_subcommand(0, 1);
  Exit exit = Exit::Holds;
  assay::cli::add_check(app, exit);
  assay::cli::add_certify(app, exit);
  assay::cli::add_stats(app, exit);
  assay::cli::add_convert(app, exit);
  assay::cli::add_generate(app, exit);
  assay::cli::add_levels(app, exit);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    assay::cli::print(chosen.empty() ? std::string(kOverview) : chosen.front()->help("assay") + "\n");
  } catch (const CLI::CallForVersion& version) {
    assay::cli::print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, problem);
  }
  if (argc == 1) assay::cli::print(kOverview);
  if (std::fflush(stdout) != 0) exit = assay::cli::fail(assay::error("cannot write to standard output"));
  return static_cast<int>(exit);
}

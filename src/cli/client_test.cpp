// `assay client-test`: whether a program speaks the protocol of docs/client-protocol.md.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "collect/conformance.h"

namespace assay::cli {
namespace {

Exit test_client(const std::string& command) {
  const std::vector<Trial> trials = try_client(command);
  for (const Trial& trial : trials) {
    print(fmt::format("{}\t{}\n", trial.problem.empty() ? "ok" : "WRONG", trial.about));
    if (!trial.problem.empty()) print(fmt::format("\t{}\n", trial.problem));
  }
  const auto wrong = std::ranges::count_if(trials, [](const Trial& trial) { return !trial.problem.empty(); });
  print(fmt::format("{} of {} trials failed\n", wrong, trials.size()));
  return wrong == 0 ? Exit::Holds : Exit::Found;
}

}  // namespace

void add_client_test(CLI::App& app, Exit& exit) {
  auto program = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "client-test", "Whether a client of yours speaks the protocol of assay run --client");
  command->add_option("command", *program, "What starts one session of it, for a shell")->required();
  command->footer(
      "Says for each thing that a client must do whether it does, and what it did instead. The exit code is "
      "0 when all\n"
      "is well and 1 otherwise. docs/client-protocol.md has the protocol, examples/clients has clients to "
      "copy.\n\n"
      "Example:\n"
      "  assay client-test 'python3 examples/clients/sqlite.py'");
  command->callback([program, &exit] { exit = test_client(*program); });
}

}  // namespace assay::cli

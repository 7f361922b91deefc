#include "verdict/certify.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "cli/command.h"

namespace assay::cli {
namespace {

struct CertifyArguments {
  std::string history, certificate, format;
};

Result<std::string> read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{"cannot read the certificate", "", file, ""};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Exit refuse(Error problem, const std::string& file) {
  problem.file = file;
  return fail(problem);
}

Exit run(const CertifyArguments& options) {
  const auto format = format_option(options.format);
  if (!format) return fail(format.error());
  const auto history = read_history(options.history, *format);
  if (!history) return fail(history.error());
  const auto text = read_text(options.certificate);
  if (!text) return fail(text.error());
  const auto certificate = parse_certificate(*text, *history);
  if (!certificate) return refuse(certificate.error(), options.certificate);
  if (auto valid = certify(*history, *certificate); !valid) {
    refuse(std::move(valid).error(), options.certificate);
    return Exit::Found;
  }
  for (const Section& section : certificate->sections)
    print(fmt::format("{}\t{}\t{}\tcertified\n", options.history, id(section.level),
                      std::holds_alternative<Execution>(section.evidence) ? "holds" : "violated"));
  return Exit::Holds;
}

}  // namespace

void add_certify(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand("certify", "Check the evidence that assay check --certificate wrote");
  command->add_option("HISTORY", options->history, "The history that was checked")->required();
  command->add_option("CERTIFICATE", options->certificate, "The evidence")->required();
  command->add_option("--format", options->format, "Format of the history; recognised by content when not given");
  command->footer(
      "Exit 0: the certificate is valid; 1: it is not; 2: it cannot be read.\n\n"
      "Example:\n  assay check --certificate proof.txt history.jsonl; assay certify history.jsonl proof.txt");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

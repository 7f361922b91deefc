// `assay convert`: converts a history from any format to any other.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "history_io/format.h"

namespace assay::cli {
namespace {

struct ConvertArguments {
  std::string in, out, from, to;
  ReadOptions reading;
  bool lossy = false;
};

Exit run(const ConvertArguments& options) {
  auto from = format_option(options.from);
  if (!from) return fail(from.error());
  auto to = options.to.empty() ? format_for_output(options.out) : format_option(options.to);
  if (!to) return fail(to.error());
  Budget budget({.interrupted = &watch_interrupts()});
  const auto history = read_history(options.in, *from, nullptr, &budget, options.reading);
  if (!history) return fail(history.error());
  const auto report = write_history(*history, options.out, **to, {.lossy = options.lossy, .budget = &budget});
  if (!report) return fail(report.error());
  for (const std::string& loss : report->left_out) warn(fmt::format("{}: left out {}", options.out, loss));
  return Exit::Holds;
}

std::string format_table() {
  std::string text = "Formats:\n";
  for (const Format* format : formats())
    text += fmt::format("  {:<11} {}{}\n", format->id, format->description,
                        format->write || format->write_directory ? "" : " (read only)");
  return text;
}

}  // namespace

Result<const Format*> format_option(const std::string& id) {
  if (id.empty()) return static_cast<const Format*>(nullptr);
  if (const Format* format = find_format(id)) return format;
  std::string ids;
  for (const Format* format : formats()) ids += (ids.empty() ? "" : ", ") + std::string(format->id);
  return error(fmt::format("unknown format {}", id), "one of " + ids);
}

void add_convert(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<ConvertArguments>();
  CLI::App* command = app.add_subcommand("convert", "Convert a history from any format to any other");
  command->add_option("IN", options->in, "A file, a log directory, or - for standard input")->required();
  command
      ->add_option("OUT", options->out,
                   "A file or directory, or - for standard output; .gz and .zst compress")
      ->required();
  add_reading_options(*command, options->reading);
  command->add_option("--from", options->from, "Format of IN; recognised by content when not given");
  command->add_option("--to", options->to, "Format of OUT; by its extension when not given, jsonl for -");
  command->add_flag(
      "--lossy", options->lossy,
      "Leave out what the format cannot say (instants, notes, reads of aborted transactions) instead of "
      "refusing; each loss is named on stderr");
  command->footer(format_table() +
                  "\nExamples:\n"
                  "  assay convert history.edn history.jsonl\n"
                  "  assay convert --to hist history.bincode -");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

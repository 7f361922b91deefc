// `assay stats`: prints the size and composition of histories.
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "history/statistics.h"
#include "history_io/format.h"

namespace assay::cli {
namespace {

struct StatsArguments {
  std::vector<std::string> histories;
  std::string format;
  ReadOptions reading;
  bool json = false;
};

constexpr std::string_view kOpNames[kOpKinds] = {"reads",
                                                 "writes",
                                                 "appends",
                                                 "list reads",
                                                 "reads of one of several values",
                                                 "inserts",
                                                 "deletes",
                                                 "scans",
                                                 "predicate reads",
                                                 "predicate writes",
                                                 "predicate writes of unknown effect"};

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("{:<14}{}\n", label, text);
}

std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? "0 %"
                    : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string seconds(std::int64_t nanoseconds) {
  const double s = static_cast<double>(nanoseconds) * 1e-9;
  if (s >= 1) return fmt::format("{:.3g} s", s);
  if (s >= 1e-3) return fmt::format("{:.3g} ms", s * 1e3);
  return fmt::format("{:.3g} us", s * 1e6);
}

std::string as_text(const std::string& file, const History& h, const Statistics& s) {
  std::string text = line("history", file);
  if (!h.note().empty()) text += line("note", h.note());
  text += line("sessions", fmt::format("{} (the longest has {} transactions)", with_commas(s.sessions),
                                       with_commas(s.longest_session)));
  text += line("transactions",
               fmt::format("{} ({} committed, {} aborted, {} unknown; {} read-only, {} write-only)",
                           with_commas(s.transactions), with_commas(s.committed), with_commas(s.aborted),
                           with_commas(s.unknown), with_commas(s.read_only), with_commas(s.write_only)));
  std::string kinds;
  for (std::size_t kind = 0; kind < kOpKinds; ++kind)
    if (s.operations_of[kind] > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", with_commas(s.operations_of[kind]),
                           kOpNames[kind]);
  text +=
      line("operations", fmt::format("{} ({}{}at most {} in a transaction)", with_commas(s.operations), kinds,
                                     kinds.empty() ? "" : "; ", with_commas(s.longest_transaction)));
  text += line("keys", with_commas(s.keys));
  text += line(
      "duplicates",
      s.duplicate_values == 0
          ? fmt::format("none: each of {} values was written once to its key", with_commas(s.written_values))
          : fmt::format("{} of {} written values have several writers, on {} of {} keys; {} of {} reads ({}) "
                        "have more than one possible writer",
                        with_commas(s.duplicate_values), with_commas(s.written_values),
                        with_commas(s.keys_with_duplicates), with_commas(s.keys),
                        with_commas(s.reads_with_several_writers), with_commas(s.operations_of[0]),
                        share(s.reads_with_several_writers, s.operations_of[0])));
  if (s.timed > 0)
    text += line("concurrency", fmt::format("{:.1f} transactions at a time on average, {} at most",
                                            s.mean_concurrent, with_commas(s.most_concurrent)));
  else
    text += line("concurrency",
                 fmt::format("no times recorded; at most {} sessions at a time", with_commas(s.sessions)));
  if (s.first_instant && h.instant_kind() == InstantKind::Positions)
    text += line("real time", "by the order of the events" +
                                  (h.instants_reason().empty() ? "" : ": " + h.instants_reason()));
  else if (s.first_instant)
    text += line("time span", fmt::format("{} ({} transactions with begin and end)",
                                          seconds(*s.last_instant - *s.first_instant), with_commas(s.timed)));
  return text;
}

std::string as_json(const std::string& file, const Statistics& s) {
  std::string text = "{\"schema\":1,\"history\":";
  print_json_string(file, text);
  text += fmt::format(
      ",\"sessions\":{},\"transactions\":{},\"committed\":{},\"aborted\":{},\"unknown\":{},\"read_only\":{},"
      "\"write_only\":{},\"operations\":{},\"keys\":{},\"written_values\":{},\"duplicate_values\":{},"
      "\"keys_with_duplicates\":{},\"reads_with_several_writers\":{}",
      s.sessions, s.transactions, s.committed, s.aborted, s.unknown, s.read_only, s.write_only, s.operations,
      s.keys, s.written_values, s.duplicate_values, s.keys_with_duplicates, s.reads_with_several_writers);
  if (s.timed > 0)
    text += fmt::format(",\"mean_concurrent\":{:.3f},\"most_concurrent\":{}", s.mean_concurrent,
                        s.most_concurrent);
  if (s.first_instant)
    text += fmt::format(",\"first_instant\":{},\"last_instant\":{}", *s.first_instant, *s.last_instant);
  return text + "}\n";
}

Exit run(const StatsArguments& options) {
  auto format = format_option(options.format);
  if (!format) return fail(format.error());
  Exit exit = Exit::Holds;
  bool first = true;
  for (const std::string& file : options.histories) {
    const auto history = read_history(file, *format, nullptr, nullptr, options.reading);
    if (!history) {
      exit = fail(history.error());
      continue;
    }
    const Statistics s = statistics(*history);
    if (!std::exchange(first, false) && !options.json) print("\n");
    print(options.json ? as_json(file, s) : as_text(file, *history, s));
  }
  return exit;
}

}  // namespace

void add_stats(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<StatsArguments>();
  CLI::App* command = app.add_subcommand("stats", "Say what a history is made of");
  command->add_option("HISTORY", options->histories, "Files, log directories, or - for standard input")
      ->required();
  command->add_option("--format", options->format,
                      "Format of the input; recognised by content when not given");
  command->add_flag("--json", options->json, "One JSON object per history");
  add_reading_options(*command, options->reading);
  command->footer("Example:\n  assay stats examples/bank.jsonl");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

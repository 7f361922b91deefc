#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <sstream>

#include "check/check.h"
#include "cli/command.h"
#include "history/describe.h"

namespace assay::cli {
namespace {

struct Options {
  std::vector<std::string> histories;
  std::string levels = "ser", format;
  bool json = false, quiet = false;
};

struct Judged {
  Level level;
  Verdict verdict;
  double seconds;
};

std::string_view word(const Verdict& verdict) {
  constexpr std::string_view words[] = {"holds", "violated", "undecided"};
  return words[verdict.index()];
}

std::string anomaly_name(const Violated& violated) {
  return std::string(name(violated.anomaly)) + (violated.needs_session_order ? "-session" : "");
}

std::string who(const History& h, TxnId t) { return t.is_none() ? "the initial transaction" : "transaction " + h.display(t); }

std::string sentence(const History& h, const ProofLine& line) {
  using Kind = ProofLine::Kind;
  const std::string op = line.op.is_none() ? "" : describe(h, line.op);
  switch (line.kind) {
    case Kind::Session: return fmt::format("{} comes before {} in session {}", who(h, line.a), who(h, line.b), h.display(h.session(line.b)));
    case Kind::Reads: return fmt::format("{} saw a write", op);
    default: return fmt::format("{} {} {}", op, who(h, line.a), who(h, line.b));
  }
}

std::string explanation(const History& h, const Judged& judged) {
  const auto* violated = std::get_if<Violated>(&judged.verdict);
  if (violated == nullptr) return {};
  std::string text = fmt::format("{}: {}, {}\n", id(judged.level), anomaly_name(*violated), row(violated->anomaly).meaning);
  for (const ProofLine& line : violated->proof) text += "  " + sentence(h, line) + "\n";
  return text;
}

std::string as_json(const std::string& file, const History& h, const std::vector<Judged>& results) {
  std::string text = "{\"schema\":1,\"history\":";
  print_json_string(file, text);
  text += fmt::format(",\"transactions\":{},\"operations\":{},\"results\":[", h.transaction_count(), h.operation_count());
  const char* separator = "";
  for (const Judged& judged : results) {
    text += fmt::format("{}{{\"level\":\"{}\",\"verdict\":\"{}\",\"seconds\":{:.6f}", separator, id(judged.level),
                        word(judged.verdict), judged.seconds);
    if (const auto* violated = std::get_if<Violated>(&judged.verdict)) {
      text += fmt::format(",\"anomaly\":\"{}\",\"transactions\":[", anomaly_name(*violated));
      text += ']';
    }
    if (const auto* undecided = std::get_if<Undecided>(&judged.verdict)) {
      text += ",\"reason\":";
      print_json_string(undecided->why, text);
    }
    text += '}';
    separator = ",";
  }
  return text + "]}\n";
}

Result<std::vector<Level>> chosen_levels(const std::string& names) {
  std::vector<Level> chosen;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "all") {
      for (const LevelRow& level : levels())
        if (can_check(level.level)) chosen.push_back(level.level);
      continue;
    }
    const auto level = find_level(name);
    if (!level) return error(fmt::format("unknown level {}", name), "assay levels lists them");
    chosen.push_back(*level);
  }
  return chosen;
}

// Judges one history at every level; the first error ends it.
Result<std::vector<Judged>> judge(const History& history, const std::vector<Level>& chosen) {
  std::vector<Judged> results;
  Checker checker(history);
  for (const Level level : chosen) {
    const auto start = std::chrono::steady_clock::now();
    auto verdict = checker.judge(level);
    if (!verdict) return std::move(verdict).error();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    results.push_back({level, std::move(verdict).value(), elapsed.count()});
  }
  return results;
}

Exit run(const Options& options) {
  auto format = format_option(options.format);
  if (!format) return fail(format.error());
  const auto chosen = chosen_levels(options.levels);
  if (!chosen) return fail(chosen.error());
  bool violated = false, bad = false, undecided = false;
  for (const std::string& file : options.histories) {
    const auto history = read_history(file, *format);
    auto results = history ? judge(*history, *chosen) : Result<std::vector<Judged>>(history.error());
    if (!results) {
      if (results.error().file.empty()) results.error().file = file;
      fail(results.error());
      bad = true;
      continue;
    }
    if (options.json) print(as_json(file, *history, *results));
    std::string explanations;
    for (const Judged& judged : *results) {
      violated |= std::holds_alternative<Violated>(judged.verdict);
      undecided |= std::holds_alternative<Undecided>(judged.verdict);
      if (options.json) continue;
      const auto* found = std::get_if<Violated>(&judged.verdict);
      print(fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", file, id(judged.level), word(judged.verdict), judged.seconds,
                        found ? anomaly_name(*found) : "-"));
      const std::string why = explanation(*history, judged);
      if (explanations.find(why.substr(why.find(':') + 1)) == std::string::npos) explanations += why;
    }
    if (!options.quiet && !options.json) print(explanations);
  }
  return violated ? Exit::Found : bad ? Exit::Bad : undecided ? Exit::Undecided : Exit::Holds;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Judge whether histories satisfy isolation levels");
  command->add_option("HISTORY", options->histories, "Files, log directories, or - for standard input")->required();
  command->add_option("--level", options->levels, "Levels, separated by commas, or all; this version judges rc, ra, cc");
  command->add_option("--format", options->format, "Format of the input; recognised by content when not given");
  command->add_flag("--json", options->json, "One JSON object per history");
  command->add_flag("--quiet", options->quiet, "Verdicts only, no explanations");
  command->footer("Example:\n  assay check --level rc,ra,cc examples/fractured-read.hist");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>

#include "check/check.h"
#include "cli/command.h"
#include "cli/limits.h"
#include "explain/narrate.h"
#include "history/describe.h"
#include "history/digest.h"
#include "history_io/byte_sink.h"
#include "verdict/certificate.h"

namespace assay::cli {
namespace {

struct CheckArguments {
  std::vector<std::string> histories;
  std::string levels = "ser", format, certificate;
  std::optional<double> timeout;
  std::optional<std::size_t> memory;
  bool json = false, quiet = false, verbose = false;
  bool no_greedy = false, eager_choices = false, no_saturation = false;
};

struct Judged {
  Level level;
  Verdict verdict;
  double seconds;
  CheckEffort effort;
};

std::string_view word(const Verdict& verdict) {
  constexpr std::string_view words[] = {"holds", "violated", "undecided"};
  return words[verdict.index()];
}

std::string anomaly_name(const Violated& violated) {
  return std::string(name(violated.anomaly)) + (violated.needs_session_order ? "-session" : "");
}

constexpr std::size_t kSentences = 40;

std::string explanation(const History& h, const Judged& judged) {
  const auto* violated = std::get_if<Violated>(&judged.verdict);
  if (violated == nullptr) return {};
  std::string text = fmt::format("{}: {}, {}\n", id(judged.level), anomaly_name(*violated), row(violated->anomaly).meaning);
  const auto sentences = narrate(h, violated->proof);
  for (std::size_t i = 0; i < std::min(sentences.size(), kSentences); ++i) text += "  " + sentences[i] + "\n";
  if (sentences.size() > kSentences)
    text += fmt::format("  ... and {} more; --certificate FILE writes them all\n", sentences.size() - kSentences);
  return text;
}

void add_strings(std::string& text, const std::vector<std::string>& strings) {
  text += '[';
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (i > 0) text += ',';
    print_json_string(strings[i], text);
  }
  text += ']';
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
      text += fmt::format(",\"anomaly\":\"{}\",\"transactions\":", anomaly_name(*violated));
      std::vector<std::string> names;
      for (const TxnId t : involved(h, violated->proof)) names.push_back(h.display(t));
      add_strings(text, names);
      text += ",\"cycle\":";
      add_strings(text, narrate_end(h, violated->proof));
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

// With `all`: the strongest levels first, so that what they imply costs nothing.
Result<std::vector<Level>> chosen_levels(const std::string& names, bool& all) {
  std::vector<Level> chosen;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "all") {
      all = true;
      for (const LevelRow& level : levels())
        if (can_check(level.level)) chosen.push_back(level.level);
      continue;
    }
    const auto level = find_level(name);
    if (!level) return error(fmt::format("unknown level {}", name), "assay levels lists them");
    chosen.push_back(*level);
  }
  if (chosen.empty()) return error("no level is given", "assay levels lists them");
  return chosen;
}

CheckOptions check_options(const CheckArguments& options, Limits& limits) {
  CheckOptions result;
  result.greedy = !options.no_greedy;
  result.lazy_choices = !options.eager_choices;
  result.saturation = !options.no_saturation;
  result.stop = [&limits] { return limits.reached(); };
  return result;
}

// The order in which levels are judged: each before those it implies.
std::vector<Level> strongest_first(std::vector<Level> chosen) {
  const auto implied = [&](Level level) {
    return std::ranges::count_if(levels(), [&](const LevelRow& row) { return implies(level, row.level); });
  };
  std::ranges::stable_sort(chosen, std::greater<>{}, implied);
  return chosen;
}

// Judges one history at every level; the first error ends it.
Result<std::vector<Judged>> judge(const std::string& file, const History& history, const std::vector<Level>& chosen,
                                  const CheckArguments& options) {
  Limits limits(options.timeout, options.memory);
  Checker checker(history, check_options(options, limits));
  std::vector<Judged> results;
  for (const Level level : strongest_first(chosen)) {
    const auto start = std::chrono::steady_clock::now();
    limits.start(fmt::format("{}: judging {}", file, id(level)));
    auto verdict = checker.judge(level);
    limits.finish();
    if (!verdict) return std::move(verdict).error();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    results.push_back({level, std::move(verdict).value(), elapsed.count(), checker.effort()});
  }
  const auto place = [&](const Judged& judged) { return std::ranges::find(chosen, judged.level) - chosen.begin(); };
  std::ranges::stable_sort(results, {}, place);
  return results;
}

// The levels that hold and are implied by no other that does.
std::string strongest(const std::vector<Judged>& results) {
  std::string text;
  for (const Judged& judged : results) {
    const bool implied = std::ranges::any_of(results, [&](const Judged& other) {
      return std::holds_alternative<Holds>(other.verdict) && other.level != judged.level && implies(other.level, judged.level);
    });
    if (std::holds_alternative<Holds>(judged.verdict) && !implied) text += (text.empty() ? "" : ", ") + std::string(id(judged.level));
  }
  return text.empty() ? "none" : text;
}

Result<void> write_certificate(const std::string& file, const History& history, const std::vector<Judged>& results) {
  Certificate certificate{digest(history), {}};
  for (const Judged& judged : results) {
    if (const auto* holds = std::get_if<Holds>(&judged.verdict)) certificate.sections.push_back({judged.level, holds->order});
    if (const auto* fell = std::get_if<Violated>(&judged.verdict)) certificate.sections.push_back({judged.level, fell->proof});
  }
  auto sink = ByteSink::create(file);
  if (!sink) return std::move(sink).error();
  sink->write(print(certificate, history));
  return sink->close();
}

std::string lines(const std::string& file, const std::vector<Judged>& results, bool verbose) {
  std::string text;
  for (const Judged& judged : results) {
    const auto* found = std::get_if<Violated>(&judged.verdict);
    text += fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", file, id(judged.level), word(judged.verdict), judged.seconds,
                        found ? anomaly_name(*found) : "-");
    if (const auto* undecided = std::get_if<Undecided>(&judged.verdict))
      warn(fmt::format("{}: {} is undecided: {}", file, id(judged.level), undecided->why));
    if (verbose)
      warn(fmt::format("{}: {} decided by {}; {} choices, {} decisions, {} conflicts{}", file, id(judged.level),
                       judged.effort.decided_by, judged.effort.choices, judged.effort.decisions, judged.effort.conflicts,
                       judged.effort.chains.empty() ? "" : "; " + judged.effort.chains));
  }
  return text;
}

// A level says what a weaker one says too: the same story is told once.
std::string explanations(const History& history, const std::vector<Judged>& results) {
  std::string text;
  for (const Judged& judged : results) {
    const std::string why = explanation(history, judged);
    if (text.find(why.substr(why.find(':') + 1)) == std::string::npos) text += why;
  }
  const auto verdict_at = [&](Level level) {
    const auto found = std::ranges::find(results, level, &Judged::level);
    return found == results.end() ? nullptr : &found->verdict;
  };
  const Verdict *ser = verdict_at(Level::Ser), *plain = verdict_at(Level::PlainSer);
  if (ser && plain && std::holds_alternative<Violated>(*ser) && std::holds_alternative<Holds>(*plain))
    text += "ser: only session order breaks it: plain-ser holds\n";
  return text;
}

Exit run(const CheckArguments& options) {
  auto format = format_option(options.format);
  if (!format) return fail(format.error());
  bool all = false;
  const auto chosen = chosen_levels(options.levels, all);
  if (!chosen) return fail(chosen.error());
  if (!options.certificate.empty() && options.histories.size() != 1)
    return fail(error("--certificate needs exactly one history", "check one at a time"));
  bool violated = false, bad = false, undecided = false;
  for (const std::string& file : options.histories) {
    const auto history = read_history(file, *format);
    auto results = history ? judge(file, *history, *chosen, options) : Result<std::vector<Judged>>(history.error());
    if (!results) {
      if (results.error().file.empty()) results.error().file = file;
      fail(results.error());
      bad = true;
      continue;
    }
    for (const Judged& judged : *results) {
      violated |= std::holds_alternative<Violated>(judged.verdict);
      undecided |= std::holds_alternative<Undecided>(judged.verdict);
    }
    if (options.json) {
      print(as_json(file, *history, *results));
    } else {
      print(lines(file, *results, options.verbose));
      if (all) print(fmt::format("strongest that hold: {}\n", strongest(*results)));
      if (!options.quiet) print(explanations(*history, *results));
    }
    if (!options.certificate.empty())
      if (const auto written = write_certificate(options.certificate, *history, *results); !written) {
        fail(written.error());
        bad = true;
      }
  }
  return violated ? Exit::Found : bad ? Exit::Bad : undecided ? Exit::Undecided : Exit::Holds;
}

}  // namespace

void add_check(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<CheckArguments>();
  CLI::App* command = app.add_subcommand("check", "Judge whether histories satisfy isolation levels");
  command->add_option("HISTORY", options->histories, "Files, log directories, or - for standard input")->required();
  command->add_option("--level", options->levels, "Levels, separated by commas, or all (default: ser)");
  command->add_option("--format", options->format, "Format of the input; recognised by content when not given");
  command->add_option("--timeout", options->timeout, "Seconds per level; then the verdict is undecided")->check(CLI::NonNegativeNumber);
  command->add_option("--memory", options->memory, "Megabytes of resident memory; then the verdict is undecided");
  command->add_option("--certificate", options->certificate, "Write the evidence there, for assay certify");
  command->add_flag("--json", options->json, "One JSON object per history");
  command->add_flag("--quiet", options->quiet, "Verdicts only, no explanations");
  command->add_flag("--verbose", options->verbose, "Say on stderr how each verdict came about");
  command->add_flag("--no-greedy", options->no_greedy, "Do not try a serial execution first (to measure)");
  command->add_flag("--no-saturation", options->no_saturation, "Search without derived facts (to measure)");
  command->add_flag("--eager-choices", options->eager_choices, "Make every choice at the start (to measure)");
  command->footer(
      "Examples:\n"
      "  assay check --level ser,si history.edn\n"
      "  assay check --level all --json history.jsonl\n"
      "  assay check --certificate proof.txt history.jsonl && assay certify history.jsonl proof.txt");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

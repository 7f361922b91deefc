// `assay certify`: a certificate certifies the claims of its sections and, with --level, what follows from
// one of them.
//
// A separate thread watches the limits and ends the process when one is reached. Nothing is printed until all
// sections are checked, so there is no output to retract, and the checker (src/certify) needs no code for
// limits.
#include "certify/certify_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <thread>

#include "cli/command.h"
#include "cli/progress_line.h"
#include "isolation/level_list.h"

namespace assay::cli {
namespace {

struct CertifyArguments {
  std::string history, certificate, format, level;
  ReadOptions reading;
  std::int64_t skew = 0;
  std::optional<double> timeout;
  std::optional<std::size_t> memory;
};

// While it exists, ends the process with "undecided" when a limit is reached. Checks the limits at least
// once.
class CertifyWatch {
 public:
  explicit CertifyWatch(const CertifyArguments& o)
      : thread_([o](std::stop_token stop) {
          ProgressLine line("certifying " + o.certificate);
          Budget budget(command_limits(o.timeout, o.memory, line));
          do {
            if (budget.is_spent()) {
              line.clear();
              warn(fmt::format("{}: undecided: {}", o.certificate, budget.why()));
              std::_Exit(static_cast<int>(Exit::Undecided));
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
          } while (!stop.stop_requested());
        }) {}

 private:
  std::jthread thread_;
};

Result<std::string> read_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{"cannot read the certificate", "", file, ""};
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Exit refuse(Error problem, const std::string& file, Exit exit = Exit::Bad) {
  problem.file = file;
  fail(problem);
  return exit;
}

bool says_holds(const Section& section) { return std::holds_alternative<Execution>(section.evidence); }

bool has_all_instants(const History& history) {
  return std::ranges::all_of(history.transactions(), [&](TxnId t) {
    return history.outcome(t) != Outcome::Committed || (history.instants(t).begin && history.instants(t).end);
  });
}

// Whether the section implies the same claim for this level and skew. A smaller skew orders more points. So
// it makes "holds" a stronger claim, and "violated" a weaker one.
bool implies_claim(const History& history, const Section& section, Level level, std::int64_t skew) {
  const bool clocks = row(level).needs_instants(), compared = clocks && row(section.level).needs_instants();
  if (says_holds(section)) return implies(section.level, level) && (!compared || section.skew <= skew);
  if (clocks && !has_all_instants(history)) return false;  // the claim is not defined then
  return implies(level, section.level) && (!compared || section.skew >= skew);
}

std::string claim(Level level, std::int64_t skew) {
  return row(level).needs_instants() ? fmt::format("{} with skew {} ns", id(level), skew)
                                     : std::string(id(level));
}

std::string certified(const CertifyArguments& o, const Certificate& certificate, const Section& section,
                      Level level, std::int64_t skew) {
  std::string about = fmt::format("history {:016x}", certificate.history);
  if (row(level).needs_instants()) about += fmt::format(", skew {} ns", skew);
  if (level != section.level || skew != section.skew)
    about += fmt::format(", implied by {} of {}", says_holds(section) ? "holds" : "violated",
                         claim(section.level, section.skew));
  return fmt::format("{}\t{}\t{}\tcertified\t{}\n", o.history, id(level),
                     says_holds(section) ? "holds" : "violated", about);
}

Result<std::optional<Level>> wanted_level(const CertifyArguments& o) {
  if (o.level.empty()) return std::optional<Level>();
  auto level = level_named(o.level);
  if (!level) return std::move(level).error();
  if (const auto meaning = meaning_of_name(o.level, *level)) warn(*meaning);
  if (o.skew != 0 && !row(*level).needs_instants())
    return error(fmt::format("--skew means nothing at {}", id(*level)), "it is for the levels of real time");
  return std::optional(*level);
}

Exit report(const CertifyArguments& o, const History& history, const Certificate& certificate,
            std::optional<Level> level) {
  if (!level) {
    for (const Section& section : certificate.sections)
      print(certified(o, certificate, section, section.level, section.skew));
    return Exit::Holds;
  }
  const std::int64_t skew = row(*level).needs_instants() ? o.skew : 0;
  const Section* shows = nullptr;
  for (const Section& section : certificate.sections)
    if (implies_claim(history, section, *level, skew) && (!shows || section.level == *level))
      shows = &section;
  if (shows) {
    print(certified(o, certificate, *shows, *level, skew));
    return Exit::Holds;
  }
  std::string has;
  for (const Section& section : certificate.sections)
    has += fmt::format("{}{} of {}", has.empty() ? "" : ", ", says_holds(section) ? "holds" : "violated",
                       claim(section.level, section.skew));
  return refuse(
      error(fmt::format("valid, but it says nothing about {}: it shows {}", claim(*level, skew), has)),
      o.certificate, Exit::Undecided);
}

Exit check_certificate(const CertifyArguments& o) {
  std::optional<CertifyWatch> watch(std::in_place, o);
  const auto level = wanted_level(o);
  if (!level) return fail(level.error());
  const auto format = format_option(o.format);
  if (!format) return fail(format.error());
  const auto history = read_history(o.history, *format, nullptr, nullptr, o.reading);
  if (!history) return fail(history.error());
  const auto text = read_text(o.certificate);
  if (!text) return fail(text.error());
  const CertifiedText found = certify_text(*history, *text);
  switch (found.answer) {
    case CertifiedText::Answer::Certified: break;
    case CertifiedText::Answer::Refuted: return refuse(found.problem, o.certificate, Exit::Found);
    case CertifiedText::Answer::Nothing: return refuse(found.problem, o.certificate, Exit::Undecided);
    case CertifiedText::Answer::Unreadable: return refuse(found.problem, o.certificate);
  }
  watch.reset();
  return report(o, *history, found.certificate, *level);
}

Exit run(const CertifyArguments& o) {
  try {
    return check_certificate(o);
  } catch (const std::bad_alloc&) {
    return refuse(error("undecided: there is not enough memory"), o.certificate, Exit::Undecided);
  }
}

}  // namespace

void add_certify(CLI::App& app, Exit& exit) {
  auto options = std::make_shared<CertifyArguments>();
  CLI::App* command =
      app.add_subcommand("certify", "Check the evidence that assay check --certificate wrote");
  command->add_option("HISTORY", options->history, "The history that was checked")->required();
  command->add_option("CERTIFICATE", options->certificate, "The evidence")->required();
  command->add_option("--format", options->format,
                      "Format of the history; recognised by content when not given");
  add_reading_options(*command, options->reading);
  CLI::Option* level = command->add_option(
      "--level", options->level, "What must be certified: that this level holds, or that it is violated");
  command->add_option("--skew", options->skew, "With --level: nanoseconds by which clocks may differ (0)")
      ->needs(level)
      ->check(at_least_zero());
  command->add_option("--timeout", options->timeout, "Seconds; then it is undecided")
      ->check(more_than_zero());
  command->add_option("--memory", options->memory, "Megabytes of resident memory; then it is undecided")
      ->check(at_least_zero());
  command->footer(
      "Exit 0: the certificate is valid, and with --level certifies a verdict about that level; 1: it is not "
      "valid;\n"
      "2: it cannot be read; 3: nothing was certified: a limit was reached, the certificate has no section "
      "or is about\n"
      "another history, or it is valid and does not imply a verdict about --level with --skew.\n\n"
      "Examples:\n  assay check --certificate proof.txt history.jsonl; assay certify history.jsonl "
      "proof.txt\n"
      "  assay certify --level strict-ser --skew 1000000 history.jsonl proof.txt");
  command->callback([options, &exit] { exit = run(*options); });
}

}  // namespace assay::cli

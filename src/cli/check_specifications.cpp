#include "cli/check_specifications.h"

#include <fmt/format.h>

#include <chrono>

#include "cli/specifications.h"
#include "synthesis/judge.h"

namespace assay::cli {
namespace {

// Formulas about a level's witnesses grow fast, so memory is limited even where nobody says so.
constexpr std::size_t kDefaultMegabytes = 2000;

struct SpecificationFinding {
  std::string spec;
  synthesis::Judgement judgement;
  double seconds;
};

std::string_view verdict_word(const synthesis::Judgement& judgement) {
  constexpr std::string_view words[] = {"holds", "violated", "undecided"};
  return words[static_cast<std::size_t>(judgement.kind)];
}

std::string findings_as_text(const std::string& file, const std::vector<SpecificationFinding>& findings,
                             bool quiet) {
  std::string text;
  for (const SpecificationFinding& finding : findings)
    text += fmt::format("{}\t{}\t{}\t{:.3f}\t-\n", file, finding.spec, verdict_word(finding.judgement),
                        finding.seconds);
  for (const SpecificationFinding& finding : findings) {
    if (quiet || finding.judgement.lines.empty()) continue;
    text += fmt::format("{} {}\n", finding.spec, verdict_word(finding.judgement));
    for (const std::string& line : finding.judgement.lines) text += fmt::format("  {}\n", line);
  }
  return text;
}

std::string findings_as_json(const std::string& file, const History& history,
                             const std::vector<SpecificationFinding>& findings) {
  std::string json =
      fmt::format("{{\"schema\":1,\"history\":{},\"transactions\":{},\"operations\":{},\"results\":[",
                  json_text(file), history.transaction_count(), history.operation_count());
  for (const SpecificationFinding& finding : findings) {
    const bool undecided = finding.judgement.kind == synthesis::Judgement::Kind::Undecided;
    json += fmt::format(
        "{}{{\"spec\":{},\"verdict\":\"{}\",\"seconds\":{:.3f},\"{}\":{}}}", json.back() == '[' ? "" : ",",
        json_text(finding.spec), verdict_word(finding.judgement), finding.seconds,
        undecided ? "reason" : "lines",
        undecided ? json_text(finding.judgement.lines.at(0)) : json_list(finding.judgement.lines));
  }
  return json + "]}\n";
}

}  // namespace

Exit check_specifications(const SpecificationCheck& check) {
  const auto specifications = load_specifications(check.specifications);
  if (!specifications) return fail(specifications.error());
  bool violated = false, bad = false, undecided = false;
  for (const std::string& file : check.histories) {
    const auto history = read_history(file, check.format, nullptr, nullptr, check.reading);
    if (!history) {
      bad = fail(history.error()) == Exit::Bad;
      continue;
    }
    std::vector<SpecificationFinding> findings;
    for (const spec::Specification& spec : *specifications) {
      const auto start = std::chrono::steady_clock::now();
      ProgressLine line(fmt::format("{}: judging {}", file, spec.name));
      Budget budget(command_limits(check.timeout, check.memory.value_or(kDefaultMegabytes), line));
      auto judgement = synthesis::judge(spec, *history, stop_of(budget), check.json || !check.quiet);
      line.clear();
      if (!judgement) {
        judgement.error().file = file;
        bad = fail(judgement.error()) == Exit::Bad;
        continue;
      }
      violated |= judgement->kind == synthesis::Judgement::Kind::Violated;
      undecided |= judgement->kind == synthesis::Judgement::Kind::Undecided;
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      findings.push_back({spec.name, std::move(judgement).value(), spent.count()});
    }
    if (!findings.empty())
      print(check.json ? findings_as_json(file, *history, findings)
                       : findings_as_text(file, findings, check.quiet));
  }
  return violated ? Exit::Found : bad ? Exit::Bad : undecided ? Exit::Undecided : Exit::Holds;
}

}  // namespace assay::cli

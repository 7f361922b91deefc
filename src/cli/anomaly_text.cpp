#include "cli/anomaly_text.h"

#include <fmt/format.h>

#include "base/contract.h"
#include "cli/command.h"
#include "cli/findings_text.h"
#include "history_io/format.h"
#include "judge/judge.h"

namespace assay::cli {
namespace {

std::string ids_of(const LevelSet& levels) {
  std::string text;
  for (const Level level : levels) text += fmt::format("{}{}", text.empty() ? "" : ", ", id(level));
  return text;
}

// The example is judged at the weakest level that the anomaly rules out. If that level has a counterpart with
// session order, the example is judged at the counterpart.
Level shown_at(const AnomalyRow& anomaly) {
  const Level weakest = *anomaly.rules_out.begin();
  return with_session_order(weakest).value_or(weakest);
}

// The story of the example, as `assay explain` tells it.
std::string example_explained(const AnomalyRow& anomaly) {
  auto history =
      read_history(ByteSource::from_memory("example", std::string(anomaly.example)), find_format("hist"));
  ASSAY_ASSERT(history.has_value());  // a test reads every example
  JudgeOptions options;
  options.levels = {shown_at(anomaly)};
  const auto findings = judge(*std::move(history), "example", "hist", options);
  return findings ? explanations(*findings, true) : "";
}

}  // namespace

std::string on_one_line(std::string_view history) {
  std::string text(history);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "  ");
  return text;
}

std::string anomaly_in_full(const AnomalyRow& anomaly) {
  std::string text = fmt::format("{}: {}\n\n{}\n", anomaly.name, anomaly.meaning, anomaly.definition);
  if (!anomaly.adya.empty()) text += fmt::format("Adya (1999): {}\n", anomaly.adya);
  if (!anomaly.elle.empty()) text += fmt::format("Elle: {}\n", anomaly.elle);
  if (!anomaly.aliases.empty()) text += fmt::format("Also: {}\n", fmt::join(anomaly.aliases, ", "));
  if (!anomaly.source.empty()) text += fmt::format("From: {}\n", anomaly.source);
  text += fmt::format("Ruled out by {} and every level that implies {} (assay levels)\n",
                      ids_of(anomaly.rules_out), anomaly.rules_out.size() == 1 ? "it" : "one of them");
  text += "\nExample, in the .hist format:\n";
  std::string_view rest = anomaly.example;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (const std::string story = example_explained(anomaly); !story.empty()) text += "\n" + story;
  return text;
}

}  // namespace assay::cli

#include "cli/findings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
#include "isolation/level_list.h"
#include "report/text.h"

namespace assay::cli {

std::string strongest(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.levels) {
    const bool implied = std::ranges::any_of(findings.levels, [&](const Finding& other) {
      return std::holds_alternative<Holds>(other.verdict) && other.level != finding.level &&
             implies(other.level, finding.level);
    });
    if (std::holds_alternative<Holds>(finding.verdict) && !implied)
      text += (text.empty() ? "" : ", ") + std::string(id(finding.level));
  }
  if (!text.empty()) return text;
  return any<Undecided>(findings) ? "none of those that were decided" : "none";
}

std::string compared_with_elle(const Findings& findings, const JepsenResults& elle) {
  const auto list = [](const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
  };
  std::string said = fmt::format("{}: Elle: {}", findings.file,
                                 elle.valid == "true"    ? "valid"
                                 : elle.valid == "false" ? "not valid"
                                                         : "did not decide");
  if (!elle.anomalies.empty()) said += fmt::format(" ({})", list(elle.anomalies));
  if (!elle.not_models.empty()) said += fmt::format(", not {}", list(elle.not_models));

  std::vector<std::string> violated, holding, contradicted;
  for (const Finding& finding : findings.levels) {
    const bool holds = std::holds_alternative<Holds>(finding.verdict);
    if (const auto* found = std::get_if<Violated>(&finding.verdict))
      violated.push_back(fmt::format("{} ({})", id(finding.level), anomaly_name(*found)));
    if (holds) holding.emplace_back(id(finding.level));
    for (const std::string& model : elle.not_models)
      if (const auto level = level_named(model); holds && level && *level == finding.level)
        contradicted.emplace_back(id(finding.level));
  }
  said += fmt::format("; Assay: {}{}{}", violated.empty() ? "" : "violated " + list(violated),
                      violated.empty() || holding.empty() ? "" : "; ",
                      holding.empty() ? "" : "holds " + list(holding));
  if (!contradicted.empty()) return said + fmt::format(". They differ on {}", list(contradicted));
  if (violated.empty() && holding.empty()) return said + "undecided. There is nothing to compare";
  if (elle.valid == "true" && !violated.empty())
    return said + ". They differ, or Elle was asked for a weaker model";
  if (elle.valid == "false" && violated.empty())
    return said + ". They differ, or Elle was asked for a stronger model (compare at --level all)";
  return said + (elle.valid == "unknown" ? ". Elle gave up" : ". They agree");
}

void warn_about(const Findings& findings) {
  for (const Finding& finding : findings.levels)
    if (const auto* undecided = std::get_if<Undecided>(&finding.verdict))
      warn(fmt::format("{}: {} is undecided: {}", findings.file, id(finding.level), undecided->why));
  std::string refused;
  for (const Refused& one : findings.refused)
    refused += (refused.empty() ? "" : ", ") + std::string(id(one.level));
  if (!refused.empty())
    warn(fmt::format("{}: {} not judged: {}", findings.file, refused,
                     findings.refused.front().why.describe()));
  for (const std::string& note : findings.notes) warn(fmt::format("{}: note: {}", findings.file, note));
}

std::string explanations(const Findings& findings, bool full, NameStyle names) {
  return as_text(findings, {.colours = isatty(STDOUT_FILENO) != 0, .full = full, .names = names});
}

}  // namespace assay::cli

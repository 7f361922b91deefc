#include "cli/findings_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
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

std::string verdict_lines(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings.levels) {
    const auto* violated = std::get_if<Violated>(&finding.verdict);
    text += fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", findings.file, id(finding.level), word(finding.verdict),
                        finding.seconds, violated ? anomaly_name(*violated) : "-");
    if (const auto* undecided = std::get_if<Undecided>(&finding.verdict))
      warn(fmt::format("{}: {} is undecided: {}", findings.file, id(finding.level), undecided->why));
  }
  std::string refused;
  for (const Refused& one : findings.refused)
    refused += (refused.empty() ? "" : ", ") + std::string(id(one.level));
  if (!refused.empty())
    warn(fmt::format("{}: {} not judged: {}", findings.file, refused,
                     findings.refused.front().why.describe()));
  for (const std::string& note : findings.notes) warn(fmt::format("{}: note: {}", findings.file, note));
  return text;
}

std::string explanations(const Findings& findings, bool full) {
  std::string text;
  for (std::size_t story = 0; story < findings.stories.size(); ++story)
    text += as_text(findings, story, {.colours = isatty(STDOUT_FILENO) != 0, .full = full});
  for (const Finding& broken : findings.levels)
    for (const Finding& plain : findings.levels)
      if (plain.level != broken.level && with_session_order(plain.level) == broken.level &&
          std::holds_alternative<Violated>(broken.verdict) && std::holds_alternative<Holds>(plain.verdict))
        text +=
            fmt::format("{}: only session order breaks it: {} holds\n", id(broken.level), id(plain.level));
  return text;
}

}  // namespace assay::cli

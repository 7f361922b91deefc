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

std::string explanations(const Findings& findings, bool full) {
  return as_text(findings, {.colours = isatty(STDOUT_FILENO) != 0, .full = full});
}

}  // namespace assay::cli

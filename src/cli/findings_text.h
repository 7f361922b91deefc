// The output of commands that judge: a line for each level, then explanations.
#pragma once

#include <algorithm>
#include <string>

#include "report/findings.h"

namespace assay::cli {

// Prints on stderr why levels are undecided or were not judged, and the notes.
void warn_about(const Findings& findings);
std::string explanations(const Findings& findings, bool full);
// The levels that hold and that no other level that holds implies.
std::string strongest(const Findings& findings);

template <class Kind>
bool any(const Findings& findings) {
  return std::ranges::any_of(
      findings.levels, [](const Finding& finding) { return std::holds_alternative<Kind>(finding.verdict); });
}

}  // namespace assay::cli

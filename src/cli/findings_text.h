// The output of commands that judge: a line for each level, then explanations.
#pragma once

#include <algorithm>
#include <string>

#include "history_io/jepsen_store.h"
#include "report/findings.h"
#include "report/text.h"

namespace assay::cli {

// Whether Elle's verdict on the same history agrees, and where it does not.
std::string compared_with_elle(const Findings& findings, const JepsenResults& elle);

// Prints on stderr why levels are undecided or were not judged, and the notes.
void warn_about(const Findings& findings);
std::string explanations(const Findings& findings, bool full, NameStyle names = NameStyle::Plain);
// The levels that hold and that no other level that holds implies.
std::string strongest(const Findings& findings);

template <class Kind>
bool any(const Findings& findings) {
  return std::ranges::any_of(
      findings.levels, [](const Finding& finding) { return std::holds_alternative<Kind>(finding.verdict); });
}

}  // namespace assay::cli

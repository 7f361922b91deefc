// The evidence for the verdicts of findings, as a certificate for somebody else to check.
#pragma once

#include <string>

#include "report/findings.h"

namespace assay {

// Levels that are undecided have none.
std::string certificate_text(const Findings& findings);

}  // namespace assay

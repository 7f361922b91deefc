// Writes the evidence for the verdicts as a certificate, which anybody can check without trusting Assay.
#pragma once

#include <string>

#include "report/findings.h"

namespace assay {

// Undecided levels have no evidence and are left out.
std::string certificate_text(const Findings& findings);

}  // namespace assay

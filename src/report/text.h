// Explanations for a terminal.
#pragma once

#include "report/findings.h"

namespace assay {

struct TextStyle {
  bool colours = false;
  bool full = false;  // every reason to its end, and the part as a history
};

std::string as_text(const Findings& findings, std::size_t story, TextStyle style);

}  // namespace assay

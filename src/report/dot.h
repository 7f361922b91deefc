// Stories as graphs for Graphviz: transactions as cards with their operations, dependencies as edges coloured
// by kind. What a reason rests on is drawn thin, what was inferred dashed.
#pragma once

#include "base/result.h"
#include "report/findings.h"

namespace assay {

std::string as_dot(const Findings& findings);  // all stories in one picture; it says so when there is none
std::string as_dot(const Findings& findings, std::size_t story);

// The picture, made by Graphviz's `dot`; an error says what to install.
Result<std::string> draw_svg(const std::string& dot);

}  // namespace assay

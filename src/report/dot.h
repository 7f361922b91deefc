// Stories as graphs for Graphviz: transactions as cards with their operations, dependencies as edges coloured
// by kind. What a reason rests on is drawn thin, what was inferred dashed.
#pragma once

#include "report/drawing.h"
#include "report/findings.h"

namespace assay {

std::string as_dot(const Findings& findings);  // all stories in one picture; it says so when there is none
std::string as_dot(const Findings& findings, std::size_t story);

}  // namespace assay

// Explanations as graphs for Graphviz: transactions are cards with their operations, dependencies are edges
// coloured by kind. Edges that only support a reason are thin, inferred ones are dashed.
#pragma once

#include "report/drawing.h"
#include "report/findings.h"

namespace assay {

std::string as_dot(const Findings& findings);  // all explanations in one picture, or a text if there are none
std::string as_dot(const Findings& findings, std::size_t story);

}  // namespace assay

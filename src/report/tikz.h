// A drawing as LaTeX: the same picture as draw_svg() makes, to be set in the type of a paper.
#pragma once

#include "report/drawing.h"

namespace assay {

// A document of its own with one tikzpicture. Graphviz places the nodes, so it must be installed.
Result<std::string> as_tikz(const Drawing& drawing, DrawingStyle style = DrawingStyle::Cards);

}  // namespace assay

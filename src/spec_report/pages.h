// What find, compare and lattice answered, as pages that open offline: the question, each history as a table
// of sessions and as a graph with the witnesses of the level that allows it, and why the other level forbids
// it.
#pragma once

#include <functional>
#include <optional>

#include "report/drawing.h"
#include "report/page.h"
#include "synthesis/compare.h"

namespace assay::spec_report {

// Makes a picture of DOT, if it can; a page can do without.
using DrawSvg = std::function<std::optional<std::string>(const std::string& dot)>;

std::string find_page(const synthesis::Problem& problem, const synthesis::FindOptions& options,
                      const synthesis::FindResult& result, const Tool& tool,
                      const DrawSvg& draw = try_draw_svg);

// `forward` asks for what the first allows and the second forbids.
std::string compare_page(const synthesis::Problem& forward, const synthesis::FindOptions& options,
                         const synthesis::Comparison& comparison, const Tool& tool,
                         const DrawSvg& draw = try_draw_svg);

// `levels` in the order of the lattice.
std::string lattice_page(const std::vector<spec::Specification>& levels,
                         const synthesis::FindOptions& options, const synthesis::Lattice& lattice,
                         const Tool& tool, const DrawSvg& draw = try_draw_svg);

}  // namespace assay::spec_report

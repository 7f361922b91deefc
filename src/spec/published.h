// The levels of the literature that `assay lattice --published` relates to each other.
#pragma once

#include <span>

namespace assay::spec {

// As SPEC on the command line, in the order of their sources. The files that define them cite the source of
// each and say what was changed. Levels of ours and other names of the same definition are left out.
std::span<const char* const> published_levels();

}  // namespace assay::spec

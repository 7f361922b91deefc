// The levels of the literature that `assay lattice --published` relates to each other.
#pragma once

#include <span>

namespace assay::spec {

// As SPEC on the command line, in the order of their sources. The files that define them cite the source of
// each and say what was changed. Levels of ours and other names of the same definition are left out.
std::span<const char* const> published_levels();

// The levels that `assay check` judges, by their names there, as specifications. Random histories hold each
// against the checker.
struct CheckedLevel {
  const char *name, *spec;
};
std::span<const CheckedLevel> checked_levels();

}  // namespace assay::spec

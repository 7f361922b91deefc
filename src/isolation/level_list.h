// Levels as users name them: "ser", "ser, si", "all".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "isolation/level.h"

namespace assay {

struct LevelList {
  std::vector<Level> levels;
  bool all = false;  // "all" was among the names: includes levels that may not suit a history
};

// Names are separated by commas; spaces around them are ignored.
Result<LevelList> parse_levels(std::string_view names);

// By id, full name or alias. For a level of the literature that Assay does not judge, the error says why.
Result<Level> level_named(std::string_view name);

}  // namespace assay

// Levels as users name them: "ser", "ser, si", "all".
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "isolation/level.h"

namespace assay {

struct LevelList {
  std::vector<Level> levels;
  bool all = false;  // "all" was among the names: every level, of which some may not suit a history
};

// Names are separated by commas; spaces around them do not count.
Result<LevelList> parse_levels(std::string_view names);

}  // namespace assay

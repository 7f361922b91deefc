// The rows of the table of levels, as tests go through them: a new row is tested as the others are.
#pragma once

#include <vector>

#include "isolation/level.h"

namespace assay::test {

inline std::vector<Level> levels_that(bool need_instants) {
  std::vector<Level> found;
  for (const LevelRow& row : levels())
    if (row.needs_instants() == need_instants) found.push_back(row.level);
  return found;
}

inline const std::vector<Level>& levels_without_clocks() {
  static const std::vector<Level> found = levels_that(false);
  return found;
}

inline const std::vector<Level>& levels_of_real_time() {
  static const std::vector<Level> found = levels_that(true);
  return found;
}

}  // namespace assay::test

// Levels whose executions are one total order, and which of them is judged first in place of another level.
//
// An execution in one total order can be replayed, so outcomes of update-maybe rows may be deferred to it.
// What explains a history at such a level explains it at every weaker one, and is quicker to find.
#pragma once

#include "isolation/level.h"

namespace assay {

inline bool has_total_order(Level level) {
  const auto rules = point_rules(level);
  return rules && rules->total;
}

// The weakest level with a total order that implies this one: itself if it has one.
inline Level stand_in(Level level) {
  if (has_total_order(level)) return level;
  return level == Level::Psi ? Level::Si : Level::Pc;
}

}  // namespace assay

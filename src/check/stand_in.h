// Kinds of levels: the weak ones, those whose executions are one total order, and which of these is judged
// first in place of another level.
//
// An execution in one total order can be replayed, so outcomes of update-maybe rows may be deferred to it.
// What explains a history at such a level explains it at every weaker one, and is quicker to find.
#pragma once

#include "isolation/point_rules.h"

namespace assay {

// They are decided by saturation.
inline bool is_weak(Level level) { return level == Level::Rc || level == Level::Ra || level == Level::Cc; }

inline bool has_two_points(Level level) {
  const auto rules = point_rules(level);
  return rules && rules->two_points;
}

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

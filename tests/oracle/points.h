// The strong levels as a sequence of points: each transaction takes its snapshot at one moment and
// makes its writes visible at another (the table of docs/engine.md, and real time of levels.md).
#pragma once

#include "oracle/model.h"
#include "oracle/oracle.h"

namespace assay::oracle {

struct PointRules {
  bool one_point = false;                 // snapshot and commit are the same moment
  bool first_committer_wins = false;      // of two writers of a key, one commits before the other's snapshot
  bool session_order = true;              // a session's commits come before its later snapshots
  bool real_time_into_snapshots = false;  // c -> s
  bool real_time_into_commits = false;    // s -> c, c -> c
  std::int64_t skew = 0;
};

// The rules of a level from pc up (psi has no single order).
PointRules point_rules(Level level, Options options);

bool has_order_of_points(const Model& model, const PointRules& rules);

}  // namespace assay::oracle

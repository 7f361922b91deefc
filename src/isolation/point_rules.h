// How a level looks to the engine: which points a transaction has and what orders them.
//
// A snapshot point s(T) and a commit point c(T) in one total order; one point at the serializable levels. At
// psi there is no total order: only the writers of each key are ordered, and what a reader missed must not
// reach it. The weak levels have one point, and of these rules only session order: the rest of what they ask
// for is their view (level.h).
#pragma once

#include <cstdint>

namespace assay {

// Which points real time orders, where clocks can tell (real_time.h). Two snapshots it never does.
struct RealTimeRules {
  bool c_to_s = false, s_to_c = false, c_to_c = false;
  std::int64_t skew = 0;  // nanoseconds by which clocks may differ; not the level's, but the asker's
  bool any() const { return c_to_s || s_to_c || c_to_c; }
  friend bool operator==(const RealTimeRules&, const RealTimeRules&) = default;
};

struct PointRules {
  bool two_points = false;    // s(T) < c(T) instead of s(T) = c(T)
  bool session_order = true;  // c(T1) < s(T2)
  bool exclusive = false;     // of two writers of a key, one commits before the other's snapshot
  bool total = true;          // all points are ordered, not only the writers of each key
  RealTimeRules real_time{};  // with one point: c_to_s
  friend bool operator==(const PointRules&, const PointRules&) = default;
};

}  // namespace assay

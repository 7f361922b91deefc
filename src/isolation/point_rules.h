// The rules of a level for the engine: which points a transaction has, and what orders them.
//
// A transaction has a snapshot point s(T) and a commit point c(T) in one total order; at the serializable
// levels both are one point. psi has no total order: only the writers of each key are ordered, and the writer
// of a version that a reader missed must not reach the reader. The weak levels have one point, and of these
// rules only session order. Their other requirements are in their view (level.h).
#pragma once

#include <cstdint>

namespace assay {

// The pairs of points that real time orders, if clocks can tell (real_time.h). It never orders two snapshots.
struct RealTimeRules {
  bool c_to_s = false, s_to_c = false, c_to_c = false;
  std::int64_t skew = 0;  // nanoseconds by which clocks may differ; given by the caller, not the level
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

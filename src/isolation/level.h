// The isolation levels as data: adding a level is adding a row.
//
// A row says what the level requires: whose writes a reader must not miss (View), and which points are
// ordered (PointRules). How a level is judged, certified and named follows from these two. So does its
// counterpart with session order, or without clocks. A new level whose rules are a new combination of the old
// ones needs no code (CONTRIBUTING.md, "Add a level").
//
// The command line promises these names, aliases and implications; docs/levels.md explains each definition.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isolation/level_set.h"
#include "isolation/point_rules.h"

namespace assay {

// If a transaction reads x from t1, any other writer of x in its view must come before t1. The view contains:
enum class View : std::uint8_t {
  None,          // no transaction
  EarlierReads,  // the writers of its earlier reads
  Neighbours,    // the writers of its reads, and the transactions before it in its session
  Past,          // the transactions that reach it along session order and reads
  Order,         // the transactions before it in the order of points
};

struct LevelRow {
  Level level;
  std::string_view id;
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view definition;  // in one or two sentences
  std::string_view source;      // where the definition is from
  View view;
  PointRules points;
  LevelSet implies;  // the directly implied levels; implies() computes the closure

  bool needs_instants() const { return points.real_time.any(); }  // the begin and end of every transaction
  bool session_order() const { return points.session_order; }     // transactions respect session order
};

std::span<const LevelRow> levels();
const LevelRow& row(Level level);
inline std::string_view id(Level level) { return row(level).id; }

// Whether the user means this name: in any case, with - or _.
bool is_spelled(std::string_view typed, std::string_view name);
// By id, full name or alias.
std::optional<Level> find_level(std::string_view name);

// Whether every history that satisfies `stronger` satisfies `weaker`. Reflexive.
bool implies(Level stronger, Level weaker);
LevelSet implied_by(Level level);

// Properties that follow from the view.

// Weak levels: their rules do not depend on the order of points, so saturation decides them.
inline bool is_weak(Level level) { return row(level).view != View::Order; }
// No two transactions read one version of a key and both write the key.
inline bool excludes_lost_updates(Level level) {
  const LevelRow& of = row(level);
  return of.view == View::Order && (of.points.exclusive || !of.points.two_points);
}
// All external reads of a key in a transaction return one version.
inline bool reads_repeat(Level level) {
  return row(level).view != View::None && row(level).view != View::EarlierReads;
}
// An execution is a total order of points, and can be replayed.
inline bool has_total_order(Level level) { return !is_weak(level) && row(level).points.total; }
// Only the writers of each key are ordered, and the view also follows this order.
inline bool orders_writers_only(Level level) { return !is_weak(level) && !row(level).points.total; }
// The view contains every transaction that reaches the reader.
inline bool sees_the_past(Level level) { return row(level).view == View::Past || orders_writers_only(level); }
inline bool has_two_points(Level level) { return row(level).points.two_points; }

// Levels that are related by their requirements.

// The level without its requirements on real time; the level itself if it has none.
Level without_real_time(Level level);
// The level with session order added, if there is one; the level itself if it has session order.
std::optional<Level> with_session_order(Level level);
// The weakest level with a total order but without real time that implies this one; the level itself if it is
// such a level. An execution there explains the history here too, and is quicker to find.
Level stand_in(Level level);

}  // namespace assay

// The isolation levels as data: adding a level is adding a row.
//
// A row says what the level asks for: whose writes a reader must not miss (View), and which points are
// ordered (PointRules). How a level is judged, certified and named follows from these two; so does which
// other level it is with session order, or without clocks. A new level whose rules are a new combination of
// the old ones needs no code (CONTRIBUTING.md, "Add a level").
//
// Names, aliases and implications are the command line's contract; docs/levels.md explains each definition.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isolation/level_set.h"
#include "isolation/point_rules.h"

namespace assay {

// If a transaction read x from t1, which other writers of x must be before t1? Those in its view.
enum class View : std::uint8_t {
  None,          // nobody
  EarlierReads,  // whom it had read from before this read
  Neighbours,    // whom it reads from, and who precedes it in its session
  Past,          // who reaches it through sessions and reads
  Order,         // who is before it in the order that the level's points have
};

struct LevelRow {
  Level level;
  std::string_view id;
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view definition;  // in one or two sentences
  std::string_view source;      // whose definition it is
  View view;
  PointRules points;
  LevelSet implies;  // directly; implies() closes it

  bool needs_instants() const { return points.real_time.any(); }  // begin and end of every transaction
  bool session_order() const { return points.session_order; }     // transactions happen in its order
};

std::span<const LevelRow> levels();
const LevelRow& row(Level level);
inline std::string_view id(Level level) { return row(level).id; }

// By id, full name or alias, in any case.
std::optional<Level> find_level(std::string_view name);

// Whether every history that satisfies `stronger` satisfies `weaker`. Reflexive.
bool implies(Level stronger, Level weaker);
LevelSet implied_by(Level level);

// What follows from the view.

// The weak levels: their rules do not mention the order of points itself, so saturation decides them.
inline bool is_weak(Level level) { return row(level).view != View::Order; }
// All external reads of a key in a transaction return one version.
inline bool reads_repeat(Level level) {
  return row(level).view != View::None && row(level).view != View::EarlierReads;
}
// An execution is one total order of points, which can be replayed.
inline bool has_total_order(Level level) { return !is_weak(level) && row(level).points.total; }
// Only the writers of each key are ordered, and a view is what reaches the reader through them too.
inline bool orders_writers_only(Level level) { return !is_weak(level) && !row(level).points.total; }
// Its views are all that reaches the reader.
inline bool sees_the_past(Level level) { return row(level).view == View::Past || orders_writers_only(level); }
inline bool has_two_points(Level level) { return row(level).points.two_points; }

// Levels that are found by what they ask for.

// What is left of a level without its clocks; the level itself if it has none.
Level without_real_time(Level level);
// The level with session order besides, if there is one; the level itself if it has session order.
std::optional<Level> with_session_order(Level level);
// The weakest level with a total order, but without clocks, that implies this one: itself if it has one. What
// explains a history there explains it here, and is quicker to find.
Level stand_in(Level level);

}  // namespace assay

// The isolation levels as data: adding a level is adding a row.
//
// Names, aliases and implications are the command line's contract; docs/levels.md explains each
// definition. Sources: Biswas and Enea (the commit-order axioms of the weak levels), Adya (PL-2 to
// PL-3), Crooks and Viper (variants of snapshot isolation), Papadimitriou (strict serializability).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay {

enum class Level : std::uint8_t {
  Rc,
  Ra,
  Cc,
  Pc,
  Psi,
  Si,
  AdyaSi,
  Gsi,
  SessionSi,
  StrongSi,
  Ser,
  PlainSer,
  StrictSer,
};

struct LevelRow {
  Level level;
  std::string_view id;
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view definition;  // in one or two sentences
  bool needs_instants;          // refused on histories whose transactions have no begin and end
  bool session_order;           // a session's transactions happen in their order
  std::vector<Level> implies;   // directly; implied_by() closes it
};

std::span<const LevelRow> levels();
const LevelRow& row(Level level);
inline std::string_view id(Level level) { return row(level).id; }

// By id, full name or alias, in any case.
std::optional<Level> find_level(std::string_view name);

// Whether every history that satisfies `stronger` satisfies `weaker`. Reflexive.
bool implies(Level stronger, Level weaker);

// What is left of a level without its clocks; the level itself if it has none.
Level without_real_time(Level level);

}  // namespace assay

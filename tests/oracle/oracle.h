// The judge of the judges: decides tiny histories by trying everything, straight from docs/levels.md.
//
// Slow, short and shared with nobody: nothing of the engine is used, only the history model. Three
// independent formulations of the levels stand side by side and are compared on random histories:
//   commit_order.h  the axioms of Biswas and Enea over a total order of transactions,
//   points.h        snapshots and commits placed one after another on a store that is replayed,
//   visibility.h    who sees whom, after Cerone, Bernardi and Gotsman.
// allows() answers by the axioms up to cc and for psi, and by points, which are faster, elsewhere.
//
// For histories of up to a dozen transactions (31 is the limit of the sets), with up to a dozen rows that an
// update-maybe may have changed. Predicates must mean something (check_predicates).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "history/history.h"

namespace assay::oracle {

enum class Level : std::uint8_t {
  pl_2,
  mav,
  rc,
  plain_ra,
  ra,
  cc,
  pc,
  psi,
  si,
  adya_si,
  gsi,
  session_si,
  strong_si,
  ser,
  plain_ser,
  strict_ser,
};

struct LevelRow {
  Level level;
  std::string_view id;  // as the command line spells it
  bool needs_instants = false;
};

inline constexpr std::array kLevelRows{LevelRow{Level::pl_2, "pl-2"},
                                       LevelRow{Level::mav, "mav"},
                                       LevelRow{Level::rc, "rc"},
                                       LevelRow{Level::plain_ra, "plain-ra"},
                                       LevelRow{Level::ra, "ra"},
                                       LevelRow{Level::cc, "cc"},
                                       LevelRow{Level::pc, "pc"},
                                       LevelRow{Level::psi, "psi"},
                                       LevelRow{Level::si, "si"},
                                       LevelRow{Level::adya_si, "adya-si"},
                                       LevelRow{Level::gsi, "gsi", true},
                                       LevelRow{Level::session_si, "session-si", true},
                                       LevelRow{Level::strong_si, "strong-si", true},
                                       LevelRow{Level::ser, "ser"},
                                       LevelRow{Level::plain_ser, "plain-ser"},
                                       LevelRow{Level::strict_ser, "strict-ser", true}};

inline constexpr auto kLevels = [] {
  std::array<Level, kLevelRows.size()> levels{};
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = kLevelRows[i].level;
  return levels;
}();

std::string_view id(Level level);
bool needs_instants(Level level);
// Whether every committed transaction says when it began and ended.
bool has_needed_instants(const History& history);

struct Options {
  std::int64_t skew = 0;  // nanoseconds by which two clients' clocks may differ
};

// Whether the history satisfies the level.
bool allows(const History& history, Level level, Options options = {});

}  // namespace assay::oracle

// The judge of the judges: decides tiny histories by trying everything, straight from docs/levels.md.
//
// Slow, short and shared with nobody: nothing of the engine is used, only the history model. Three
// independent formulations of the levels stand side by side and are compared on random histories:
//   commit_order.h  the axioms of Biswas and Enea over a total order of transactions,
//   points.h        snapshots and commits placed one after another on a store that is replayed,
//   visibility.h    who sees whom, after Cerone, Bernardi and Gotsman.
// allows() answers by the axioms for rc, ra, cc and psi, and by points, which are faster, elsewhere.
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
  rc,
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

inline constexpr std::array<Level, 13> kLevels{
    Level::rc,  Level::ra,        Level::cc,        Level::pc,         Level::psi,
    Level::si,  Level::adya_si,   Level::gsi,       Level::session_si, Level::strong_si,
    Level::ser, Level::plain_ser, Level::strict_ser};

// As the command line spells it.
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

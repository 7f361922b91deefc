#include "simulate/store.h"

#include <algorithm>
#include <array>

#include "simulate/disciplines.h"

namespace assay {
namespace {

constexpr double kAsOldAsPossible = 0.5;

}  // namespace

Moment Store::some_moment_since(Moment earliest) {
  earliest = std::max(earliest, lag_before(now_));
  return random_.chance(kAsOldAsPossible) ? earliest : earliest + random_.below(now_ - earliest + 1);
}

std::span<const Level> simulated_levels() {
  using enum Level;
  static constexpr std::array levels{Rc, Ra, Cc, Pc, Psi, Si, Ser, StrictSer};
  return levels;
}

std::unique_ptr<Store> make_store(Level level, const StoreOptions& options) {
  switch (level) {
    case Level::Rc: return make_read_committed_store(options);
    case Level::Ra: return make_read_atomic_store(options);
    case Level::Cc: return make_causal_store(options, WriteConflicts::Allowed);
    case Level::Psi: return make_causal_store(options, WriteConflicts::Refused);
    case Level::Pc: return make_prefix_store(options, WriteConflicts::Allowed);
    case Level::Si: return make_prefix_store(options, WriteConflicts::Refused);
    case Level::Ser: return make_timestamp_store(options, Places::InThePast);
    case Level::StrictSer: return make_timestamp_store(options, Places::WithinTheTransaction);
    default: ASSAY_REQUIRE(!"a level of simulated_levels()"); return nullptr;
  }
}

}  // namespace assay

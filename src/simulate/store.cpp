#include "simulate/store.h"

#include <algorithm>
#include <array>

#include "simulate/disciplines.h"

namespace assay {
namespace {

constexpr double kAsOldAsPossible = 0.5;

// Each store keeps one level, and no stronger one.
struct StoreRow {
  Level keeps;
  std::unique_ptr<Store> (*make)(const StoreOptions&);
};

constexpr std::array kStores{
    StoreRow{Level::Rc, [](const StoreOptions& o) { return make_read_committed_store(o); }},
    StoreRow{Level::Ra, [](const StoreOptions& o) { return make_read_atomic_store(o); }},
    StoreRow{Level::Cc, [](const StoreOptions& o) { return make_causal_store(o, WriteConflicts::Allowed); }},
    StoreRow{Level::Pc, [](const StoreOptions& o) { return make_prefix_store(o, WriteConflicts::Allowed); }},
    StoreRow{Level::Psi, [](const StoreOptions& o) { return make_causal_store(o, WriteConflicts::Refused); }},
    StoreRow{Level::Si, [](const StoreOptions& o) { return make_prefix_store(o, WriteConflicts::Refused); }},
    StoreRow{Level::Ser, [](const StoreOptions& o) { return make_timestamp_store(o, Places::InThePast); }},
    StoreRow{Level::StrictSer,
             [](const StoreOptions& o) { return make_timestamp_store(o, Places::WithinTheTransaction); }},
};

}  // namespace

Moment Store::some_moment_since(Moment earliest) {
  earliest = std::max(earliest, lag_before(now_));
  return random_.chance(kAsOldAsPossible) ? earliest : earliest + random_.below(now_ - earliest + 1);
}

std::span<const Level> simulated_levels() {
  static constexpr auto levels = [] {
    std::array<Level, kStores.size()> kept{};
    std::ranges::transform(kStores, kept.begin(), &StoreRow::keeps);
    return kept;
  }();
  return levels;
}

std::optional<Level> simulated_for(Level level) {
  const auto is_kept = [](Level one) {
    return std::ranges::find(simulated_levels(), one) != simulated_levels().end();
  };
  if (is_kept(level)) return level;
  const auto stronger = with_session_order(level);
  return stronger && is_kept(*stronger) ? stronger : std::nullopt;
}

std::unique_ptr<Store> make_store(Level level, const StoreOptions& options) {
  const auto found = std::ranges::find(kStores, level, &StoreRow::keeps);
  ASSAY_REQUIRE(found != kStores.end());  // a level of simulated_levels()
  return found->make(options);
}

}  // namespace assay

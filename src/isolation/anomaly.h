// The table of anomalies, and the weakest levels that each rules out.
//
// A history with the anomaly satisfies no level in `rules_out`, nor any level that implies one of them.
// docs/levels.md has the shape of each anomaly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isolation/level.h"

namespace assay {

enum class Anomaly : std::uint8_t {
  ThinAir,
  G1a,
  G1b,
  FutureRead,
  NotOwnWrite,
  NotOwnLastWrite,
  NonRepeatableRead,
  IncompatibleOrder,
  DuplicateElements,
  G0,
  G1c,
  NonMonotonicRead,
  FracturedRead,
  Causality,
  LostUpdate,
  LongFork,
  ReadSkew,
  GNonadjacent,
  WriteSkew,
  Phantom,
  ReadOnly,
  StaleInitialRead,
};

struct AnomalyRow {
  Anomaly anomaly;
  std::string_view name;
  std::string_view meaning;
  LevelSet rules_out;
};

std::span<const AnomalyRow> anomalies();
const AnomalyRow& row(Anomaly anomaly);
inline std::string_view name(Anomaly anomaly) { return row(anomaly).name; }
std::optional<Anomaly> find_anomaly(std::string_view name);

// Whether no history with this anomaly satisfies the level.
bool rules_out(Anomaly anomaly, Level level);

// The name of a violation of the level that violates no weaker level, unless a closer name is found.
Anomaly name_of_condition(Level level);

}  // namespace assay

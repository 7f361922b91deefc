// The anomalies by name, and the weakest levels each rules out.
//
// `rules_out` lists the weakest levels that a history with this anomaly alone cannot satisfy;
// whatever implies one of them falls with it. Shapes are in docs/levels.md.
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

// Whether a history with this anomaly cannot satisfy the level.
bool rules_out(Anomaly anomaly, Level level);

// What breaks the level and nothing weaker is called this, unless more is known of it.
Anomaly name_of_condition(Level level);

}  // namespace assay

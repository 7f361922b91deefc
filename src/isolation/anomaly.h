// The table of anomalies: what each is called, what must be true of a history that has it, and the weakest
// levels that it rules out.
//
// A history with the anomaly satisfies no level in `rules_out`, nor any level that implies one of them.
// `definition` is what a name claims of the part of a history that is shown as its witness; a test holds
// every name to it (tests/support/anomaly_definitions.h). docs/levels.md has the same definitions in a table.
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
  PredicateReadMiss,
  G0,
  G1c,
  NonMonotonicRead,
  ReadSkew,
  ReadYourWrites,
  MonotonicReads,
  MonotonicWrites,
  WritesFollowReads,
  Causality,
  StaleInitialRead,
  LostUpdate,
  LongFork,
  GSingle,
  GNonadjacent,
  WriteSkew,
  Phantom,
  ReadOnly,
  ClockContradiction,
};

struct AnomalyRow {
  Anomaly anomaly;
  std::string_view name;
  std::string_view meaning;     // in a phrase
  std::string_view definition;  // "TX" is a transaction, "before" an order of commits that explains the reads
  std::string_view adya,
      elle;  // what Adya 1999 and Elle call it; the nearest name where they have none of their own
  std::vector<std::string_view> aliases;  // other names that users may type
  std::string_view source;
  std::string_view example;  // the smallest history that has it, in the .hist format
  LevelSet rules_out;

  // Session order, or the clock, is part of the definition, so the name has no ending that says so.
  bool is_about_clocks() const { return anomaly == Anomaly::ClockContradiction; }
  bool is_about_sessions() const {
    return anomaly >= Anomaly::ReadYourWrites && anomaly <= Anomaly::WritesFollowReads;
  }
};

std::span<const AnomalyRow> anomalies();
const AnomalyRow& row(Anomaly anomaly);
inline std::string_view name(Anomaly anomaly) { return row(anomaly).name; }
// By name or alias, or by Adya's or Elle's name if only one anomaly has that; in any case.
std::optional<Anomaly> find_anomaly(std::string_view name);

// Whether no history with this anomaly satisfies the level.
bool rules_out(Anomaly anomaly, Level level);

// The name of a violation of the level that violates no weaker level, unless a closer name is found.
Anomaly name_of_condition(Level level);

}  // namespace assay

// What to change so that a set of programs becomes serializable, cheapest first; every piece of advice was
// verified by analysing the changed set.
#pragma once

#include <optional>
#include <vector>

#include "analysis/analyze.h"

namespace assay::analysis {

// A SELECT that should lock its rows (FOR UPDATE).
struct Promotion {
  std::size_t program;
  std::uint32_t statement;  // Statement::number
  sql::Place place;
};

struct LevelAnswer {
  StoreLevel level;
  Analysis analysis;
};

struct Advice {
  std::vector<LevelAnswer> levels;  // the table: one answer per level, weakest first
  std::optional<StoreLevel> weakest_safe;
  std::vector<std::vector<std::size_t>> raise_to_ser;  // the smallest sets of programs
  std::vector<std::vector<Promotion>> lock;            // the smallest sets of reads
  Outcome verified = Outcome::NotDecided;  // what the changed sets reach: proved, or none up to the cycle
};

// One answer per level; a level that implies a safe one is not analysed again.
std::vector<LevelAnswer> analyze_all_levels(const sql::Application& application, const Options& options);
// How to make `levels` safe. Expects that it is not.
Advice advise(const sql::Application& application, const Levels& levels, const Options& options);

}  // namespace assay::analysis

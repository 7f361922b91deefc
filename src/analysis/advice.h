// What to change so that a set of programs becomes serializable, smallest change first.
//
// Every piece of advice was verified by analysing the changed set; `verified` says what that showed.
// Candidates come from the anomalies: a change that leaves one of them untouched cannot help, and what a
// failed try shows is one more anomaly for the next to touch.
#pragma once

#include <optional>
#include <vector>

#include "analysis/analyze.h"
#include "analysis/atomic_update.h"

namespace assay::analysis {

// One answer per level, weakest first, with a proof wherever one is found. What implies a level that was
// proved is proved without being analysed.
struct LevelAnswer {
  StoreLevel level;
  Analysis analysis;
  double seconds = 0;
};
std::vector<LevelAnswer> analyze_all_levels(const sql::Application& application, const Options& options);
// The weakest level that was proved; and one before it at which nothing was found, though nothing was proved.
struct WeakestLevels {
  std::optional<StoreLevel> proved;
  std::optional<StoreLevel> unproved;
  unsigned up_to = 0;  // of `unproved`: no anomaly of up to so many transactions
};
WeakestLevels weakest_levels(const std::vector<LevelAnswer>& answers);

// A query that should hold on to the rows it reads.
struct Promotion {
  enum class Kind : std::uint8_t {
    Lock,   // SELECT ... FOR UPDATE
    Write,  // an UPDATE of the rows that changes nothing
  };
  Kind kind;
  std::size_t program;
  std::uint32_t statement;  // Statement::number
  sql::Place place;
};

struct Advice {
  struct Raise {
    std::vector<std::size_t> programs;
    StoreLevel level;
    Outcome verified;
  };
  struct Hold {
    std::vector<Promotion> promotions;
    Outcome verified;
  };
  std::vector<Raise> raise;  // all smallest sets, to the weakest level that helps
  std::vector<Hold> hold;    // all smallest sets; locks where locks suffice
  // A constraint that refuses the second of two rows which a query looked for in vain.
  struct Unique {
    sql::TableId table;
    std::vector<sql::ColumnId> columns;
    Outcome verified;
  };
  std::vector<Unique> unique;
  // Programs that begin with the same advisory lock; at rc only, since a snapshot is older than the wait.
  struct Exclusion {
    std::vector<std::size_t> programs;
    Outcome verified;
  };
  std::optional<Exclusion> exclusion;
  // Queries and UPDATEs of what they read, each pair made one statement; all smallest sets.
  struct Atomic {
    std::vector<AtomicUpdate> updates;
    sql::Application changed;
    Outcome verified;
  };
  std::vector<Atomic> atomic{};
  bool exhausted = true;  // false: stopped looking before everything was tried
};

// How to make `levels` safe; `analysis` is its answer and has anomalies.
Advice advise(const sql::Application& application, const Levels& levels, const Options& options,
              const Analysis& analysis);

// The application in which these programs take one advisory lock before anything else.
sql::Application excluding_each_other(const sql::Application& application,
                                      const std::vector<std::size_t>& programs);
// The application with the promotions made.
sql::Application promoted(const sql::Application& application, const std::vector<Promotion>& promotions);

}  // namespace assay::analysis

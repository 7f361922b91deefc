// What a store promises to the programs that run on it, as axioms over visibility and arbitration.
//
// vis(t, s): s sees what t wrote. ar: the order in which writes win. A level is a row of flags, each one
// axiom; where programs run at different levels, an axiom binds the transaction that it ends in. Read
// committed has a view for each statement instead of one for the transaction.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sql/program.h"

namespace assay::analysis {

// PgSerializable: snapshot isolation whose server aborts transactions, so that no cycle of dependencies is
// among transactions of this level alone. Written: in the specification language (written_level.h).
enum class StoreLevel : std::uint8_t {
  Ec,
  Rc,
  Cc,
  Pc,
  Psi,
  Si,
  Ser,
  PgSerializable,
  MariadbRc,
  MariadbRr,
  MariadbSnapshot,
  Written
};

struct WrittenLevel;

struct StoreLevelRow {
  StoreLevel level;
  std::string_view id;
  std::string_view name;
  bool causal = false;         // vis ; vis  in vis
  bool prefix = false;         // ar ; vis   in vis
  bool no_conflict = false;    // whoever writes a row sees all who wrote it before: WW in vis
  bool total = false;          // ar in vis
  bool per_statement = false;  // each statement has its own view, of everything committed before it
  // The server excludes cycles among transactions of this level, but not those with others on them.
  bool no_cycle_among = false;
  // MariaDB's: plain queries have a view, changes and locking reads are besides of the newest versions.
  // Either they lock all that they look at (`locks_what_it_reads`), or a row that they pass over may change
  // at once
  // (`passes_rows`).
  bool locks_what_it_reads = false;
  bool passes_rows = false;
  bool refuses_unseen = false;  // to lock a row that another transaction changed after the snapshot

  bool of_mariadb() const { return locks_what_it_reads || passes_rows; }
};

// Those that say the same whatever the levels of other programs are, weakest first.
std::span<const StoreLevelRow> store_levels();
const StoreLevelRow& row(StoreLevel level);
inline std::string_view id(StoreLevel level) { return row(level).id; }
// By the names of the table, or as a server calls it: `pg:repeatable-read`.
std::optional<StoreLevel> find_store_level(std::string_view name);
// Whether every execution that `stronger` allows, `weaker` allows too. Reflexive.
bool implies(StoreLevel stronger, StoreLevel weaker);

// Programs are numbers: their places in Application::programs.
struct Levels {
  StoreLevel common = StoreLevel::Si;
  std::vector<std::pair<std::size_t, StoreLevel>> of_program{};  // where it differs from `common`
  std::vector<std::pair<std::size_t, std::size_t>>
      serialized_pairs{};                         // between instances of these: ar in vis
  std::shared_ptr<const WrittenLevel> written{};  // of StoreLevel::Written

  const StoreLevelRow& row(std::size_t program) const;
  StoreLevel of(std::size_t program) const;
  bool serialized(std::size_t first, std::size_t second) const;
  // Whether the server excludes every cycle of dependencies among instances of these.
  bool exclude_cycles(std::span<const std::size_t> programs) const;
  // Whether all programs run at levels with this flag.
  bool all(bool StoreLevelRow::*flag, std::size_t programs) const;
};

// `si`, `si,Enroll=ser`, `cc,Enroll=psi,AddCourse+AddCourse=ser` (between instances of the two). Case does
// not matter. `FILE:LEVEL` is a written level: its axioms bind all programs, some of which may besides see
// everything before them (`FILE:LEVEL,Enroll=ser`).
Result<Levels> parse_levels(std::string_view text, const sql::Application& application);
// The levels at which the programs really run: one that asks for a level itself (BEGIN ISOLATION LEVEL) runs
// at that one among PostgreSQL's levels; of other stores' levels it gets the weaker one. `notes` say which.
Levels with_own_levels(const Levels& levels, const sql::Application& application,
                       std::vector<std::string>& notes);
std::string to_text(const Levels& levels, const sql::Application& application);

}  // namespace assay::analysis

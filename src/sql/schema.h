// The tables that transaction programs work on, as far as conflicts depend on them.
//
// Columns are numbered within their table, in the order of CREATE TABLE. A table without a primary key has an
// empty `primary_key`: no two of its rows can be told apart by value, so nothing proves that two statements
// mean different rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strong_id.h"

namespace assay::sql {

using TableId = Id<struct TableTag>;
using ColumnId = Id<struct ColumnTag>;  // within its table

// Where something stands; lines count from 1. Shared, because every statement carries one.
struct Place {
  std::shared_ptr<const std::string> file;
  std::size_t line = 0;
};
std::string to_text(const Place& place);  // `bank.sql:12`

// How values are compared and calculated with. Time covers dates and timestamps; Other is everything else
// (bytea, json, records), of which only equality means something.
enum class Type : std::uint8_t { Integer, Decimal, Text, Boolean, Time, Other };
std::string_view to_text(Type type);

struct Expression;

struct Column {
  std::string name;
  Type type = Type::Integer;
  bool nullable = true;
  std::string declared{};  // the type as PostgreSQL knows it, for replays: `numeric(12,2)`
  // What INSERT writes when it names no value: a Constant, Fresh, or Unknown when it has to be calculated;
  // null: NULL.
  std::shared_ptr<const Expression> fallback{};
  bool calculated = false;  // GENERATED ALWAYS AS, from the other columns
};

struct ForeignKey {
  std::vector<ColumnId> columns;
  TableId target;
  std::vector<ColumnId> target_columns;
  bool cascades = false;  // a DELETE of the target deletes the rows here that point to it
  bool sets = false;      // a DELETE of the target sets the columns here: ON DELETE SET NULL, SET DEFAULT
  bool follows =
      false;  // an UPDATE of the target's key changes the columns here: ON UPDATE CASCADE and others
};

// A constraint that refuses two rows of which all `parts` are alike: a unique index over expressions or over
// some of the rows, EXCLUDE. Fields are those of a row of the table.
struct RowKey {
  struct Part {
    std::shared_ptr<const Expression> value;
    std::string operation = "=";  // what is alike
  };
  std::vector<Part> parts;
  std::shared_ptr<const Expression> where{};  // of which rows; null: all
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<ColumnId> primary_key{};
  std::vector<std::vector<ColumnId>> unique{};  // besides the primary key; each is a set of columns
  // Columns of further constraints between rows, which keep apart more or less than equal columns: unique
  // indexes over expressions or over some of the rows, EXCLUDE.
  std::vector<std::vector<ColumnId>> loose_keys{};
  std::vector<RowKey> row_keys{};  // of these, those that are understood
  std::vector<ForeignKey> foreign_keys{};
  Place place{};
  // What of its definition is not understood: whoever names the table may read and write everything.
  std::string unclear{};
  std::vector<ColumnId> partitioned_by{};  // a change of these may move a row to another partition
  bool filtered = false;                   // row level security: any row may be hidden
  bool seeded = false;  // rows may be there that no program inserts, of the files or of other programs
  // No table: its rows are the names of locks, and all of them are there. Who takes a lock locks its row.
  bool of_locks = false;

  std::optional<ColumnId> find(std::string_view column) const;
  bool in_primary_key(ColumnId column) const;
  const Column& operator[](ColumnId id) const { return columns[id.index()]; }
};

// The tables of locks: advisory ones by number and by a text that is hashed, LOCK TABLE by the table's name.
constexpr std::string_view kLocksOfNumbers = "advisory locks", kLocksOfTexts = "advisory locks of texts",
                           kLocksOfTables = "locks of tables";
void add_tables_of_locks(struct Schema& schema);

struct Schema {
  std::vector<Table> tables;
  // Names of partitions and the table whose rows they hold; rows are those of that table.
  std::map<std::string, std::string, std::less<>> partitions{};
  // Domains and the types that they restrict; enumerations are `enum NAME`.
  std::map<std::string, std::string, std::less<>> named_types{};

  std::optional<TableId> find(std::string_view table) const;
  const Table& operator[](TableId id) const { return tables[id.index()]; }
};

}  // namespace assay::sql

// The tables that transaction programs work on, as far as conflicts depend on them.
//
// Columns are numbered within their table, in the order of CREATE TABLE. A table without a primary key has an
// empty `primary_key`: no two of its rows can be told apart by value, so nothing proves that two statements
// mean different rows.
#pragma once

#include <cstdint>
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
  // What INSERT writes when it names no value: a Constant, Fresh or Unknown; null: NULL.
  std::shared_ptr<const Expression> fallback{};
};

struct ForeignKey {
  std::vector<ColumnId> columns;
  TableId target;
  std::vector<ColumnId> target_columns;
  bool cascades = false;  // a DELETE (or UPDATE of the key) of the target writes this table too
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<ColumnId> primary_key{};
  std::vector<std::vector<ColumnId>> unique{};  // besides the primary key; each is a set of columns
  std::vector<ForeignKey> foreign_keys{};
  Place place{};

  std::optional<ColumnId> find(std::string_view column) const;
  bool in_primary_key(ColumnId column) const;
  const Column& operator[](ColumnId id) const { return columns[id.index()]; }
};

struct Schema {
  std::vector<Table> tables;

  std::optional<TableId> find(std::string_view table) const;
  const Table& operator[](TableId id) const { return tables[id.index()]; }
};

}  // namespace assay::sql

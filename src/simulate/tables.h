// The mapping from a workload's keys to tables of a database: each column of each row is a key.
//
// Most workloads have one table of keys and values; an application may have its own tables. Integers identify
// rows, in the columns of the table's primary key. Every other column holds an integer that is initially 0.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "simulate/store.h"

namespace assay {

struct Table {
  std::string_view name;
  std::vector<std::string_view> key;      // columns of the primary key; at most kMostKeyColumns
  std::vector<std::string_view> columns;  // the other columns
  // The initial number of rows for each column of the primary key; 0 in any of them: no rows.
  std::vector<std::size_t> rows;
  std::int64_t first = 0;  // the number of the first row
};

inline constexpr std::size_t kMostKeyColumns = 4;

// One column of one row.
struct Cell {
  std::size_t column;                               // counted across all tables
  std::array<std::int64_t, kMostKeyColumns> row{};  // one entry for each column of the primary key
};

class RowTable;

class TableLayout {
 public:
  virtual ~TableLayout() = default;
  virtual std::span<const Table> tables() const = 0;
  virtual Cell cell(StoreKey key) const = 0;
  // The table of rows, if keys are whole rows that are inserted and deleted.
  virtual const RowTable* rows() const { return nullptr; }
};

// A table t of keys k and values v.
class OneTable final : public TableLayout {
 public:
  explicit OneTable(std::size_t keys) : table_{"t", {"k"}, {"v"}, {keys}} {}
  std::span<const Table> tables() const override { return {&table_, 1}; }
  Cell cell(StoreKey key) const override { return {0, {key.value}}; }

 private:
  const Table table_;
};

}  // namespace assay

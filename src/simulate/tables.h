// Where a database keeps what a workload calls keys: tables, each column of each row a key of its own.
//
// Most workloads have one table of keys and values; an application may bring its own. Rows are named by
// integers, in the columns of the table's primary key; every other column holds an integer that starts at 0.
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
  std::vector<std::string_view> columns;  // the others
  // How many rows there are from the start, by each column of the key; none where one of them is 0.
  std::vector<std::size_t> rows;
  std::int64_t first = 0;  // they are numbered from here
};

inline constexpr std::size_t kMostKeyColumns = 4;

// One column of one row.
struct Cell {
  std::size_t column;                               // counted through all tables
  std::array<std::int64_t, kMostKeyColumns> row{};  // as many as the table's key has columns
};

class RowTable;

class TableLayout {
 public:
  virtual ~TableLayout() = default;
  virtual std::span<const Table> tables() const = 0;
  virtual Cell cell(StoreKey key) const = 0;
  // Where keys are whole rows, that come and go.
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

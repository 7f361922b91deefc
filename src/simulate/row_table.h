// A table t of rows that are inserted and deleted: a key k, and one column, value, or two, v1 and v2.
#pragma once

#include <utility>

#include "simulate/rows.h"
#include "simulate/tables.h"

namespace assay {

class RowTable final : public TableLayout {
 public:
  // `initial`: the rows of keys 0, 1, 2, ..., or kNoRow. Other keys have no row.
  RowTable(bool has_two_columns, std::vector<std::int64_t> initial) : initial_(std::move(initial)) {
    if (has_two_columns) columns_ = {RowColumn::V1, RowColumn::V2};
    for (const RowColumn column : columns_) table_.columns.push_back(name_of(column));
  }

  std::span<const Table> tables() const override { return {&table_, 1}; }
  Cell cell(StoreKey key) const override { return {0, {key.value}}; }
  const RowTable* rows() const override { return this; }

  std::span<const RowColumn> columns() const { return columns_; }
  bool has_two_columns() const { return columns_.size() == 2; }
  std::span<const std::int64_t> initial() const { return initial_; }

 private:
  std::vector<RowColumn> columns_{RowColumn::Value};
  Table table_{.name = "t", .key = {"k"}, .columns = {}, .rows = {0}};
  const std::vector<std::int64_t> initial_;
};

}  // namespace assay

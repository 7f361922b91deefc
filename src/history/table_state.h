// The state of the table at one moment of a replay, stored column by column, so that a predicate can be
// evaluated on all rows at once.
//
// A statement ranges over every key of the table. Evaluated row by row, it would spend nearly all its time on
// looking up the columns of each row. Here each column that some predicate names is an array, which RowTest
// scans. The index of a key in these arrays is its place. Keys are ordered by name, so a scan covers a
// contiguous range of places.
//
// Cost: put() takes one step for each column. Nothing allocates after construction.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "history/history.h"

namespace assay {

// A column, and what its name refers to: the key, the value of a row that is a scalar, or a field.
struct ColumnOf {
  enum class Kind : std::uint8_t { Key, Value, Field };
  Scalar name{};
  Kind kind = Kind::Field;
};
ColumnOf column_of(const ScalarPool& pool, Scalar name);

// The value of a row in a column.
Scalar cell(const History& history, KeyId key, Scalar value, const ColumnOf& column);

class TableState {
 public:
  // Begins with the initial state.
  explicit TableState(const History& history);

  struct Row {
    KeyValueId value;  // none(): the history does not give the initial value
    TxnId writer;
  };
  // Sets the row of a key. The key must not be a list.
  void put(KeyId key, Row row);
  const Row& row(KeyId key) const { return rows_[place_[key.index()]]; }

  std::size_t size() const { return keys_.size(); }
  KeyId key(std::size_t place) const { return keys_[place]; }
  std::uint32_t place(KeyId key) const { return place_[key.index()]; }
  // The places of the keys in the bounds, as a half-open range.
  std::pair<std::size_t, std::size_t> places(const KeyBounds& bounds) const;
  // 1 or 0 for each place: whether there is a row.
  std::span<const std::uint8_t> exists() const { return exists_; }
  // Whether the value of every row is known: each key has an initial value or was written.
  bool is_known() const { return unknown_ == 0; }

  // A column's value in each row, by place. Where there is no row, some integer.
  struct Cells {
    std::vector<ScalarKind> kind;
    std::vector<std::uint64_t> bits;
    std::size_t no_integers = 0;  // how many cells are not integers
    Scalar at(std::size_t place) const { return {kind[place], bits[place]}; }
  };
  // Requires a column that some predicate of the history names.
  const Cells& cells(Scalar column) const;

 private:
  struct Column {
    ColumnOf of;
    Cells cells;
  };
  void add_column(Scalar name);
  static void set(Cells& cells, std::size_t place, Scalar value);

  const History& h_;
  std::vector<KeyId> keys_;           // by place
  std::vector<Scalar> names_;         // by place: the key's name
  std::vector<std::uint32_t> place_;  // by key
  std::vector<Row> rows_;
  std::vector<std::uint8_t> exists_;
  std::vector<Column> columns_;
  std::size_t unknown_ = 0;
};

}  // namespace assay

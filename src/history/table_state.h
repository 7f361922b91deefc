// The rows of a history as they are at one moment, column by column, so that a predicate is asked of all of
// them at once.
//
// A statement ranges over every key of the table, and executions are replayed statement after statement: row
// by row, looking for a row's columns would be nearly all of the work. Here each column that some predicate
// speaks of is an array, which RowTest goes through without leaving it. Keys have places, ordered by name, so
// that a scan ranges over neighbours.
//
// Cost: a put takes the columns of one row; nothing allocates after the beginning.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "history/history.h"

namespace assay {

// A column, by what its name says it is of: the key, a row that is a scalar, or a field.
struct ColumnOf {
  enum class Kind : std::uint8_t { Key, Value, Field };
  Scalar name{};
  Kind kind = Kind::Field;
};
ColumnOf column_of(const ScalarPool& pool, Scalar name);

// What a row has in a column.
Scalar cell(const History& history, KeyId key, Scalar value, const ColumnOf& column);

class TableState {
 public:
  // In the initial state.
  explicit TableState(const History& history);

  struct Row {
    KeyValueId value;  // none(): the history does not say with what the key starts
    TxnId writer;
  };
  // The row of a key that is no list.
  void put(KeyId key, Row row);
  const Row& row(KeyId key) const { return rows_[place_[key.index()]]; }

  std::size_t size() const { return keys_.size(); }
  KeyId key(std::size_t place) const { return keys_[place]; }
  std::uint32_t place(KeyId key) const { return place_[key.index()]; }
  // The places of the keys in the bounds: from the first to before the second.
  std::pair<std::size_t, std::size_t> places(const KeyBounds& bounds) const;
  // By place, 1 or 0.
  std::span<const std::uint8_t> exists() const { return exists_; }
  // Whether it is known of every key with what it starts, or it was written since.
  bool is_known() const { return unknown_ == 0; }

  // What the rows have in a column, by place; where there is no row, some integer.
  struct Cells {
    std::vector<ScalarKind> kind;
    std::vector<std::uint64_t> bits;
    std::size_t no_integers = 0;  // how many are something else
    Scalar at(std::size_t place) const { return {kind[place], bits[place]}; }
  };
  // Of a column that some predicate of the history names.
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
  std::vector<Scalar> names_;         // of these
  std::vector<std::uint32_t> place_;  // by key
  std::vector<Row> rows_;
  std::vector<std::uint8_t> exists_;
  std::vector<Column> columns_;
  std::size_t unknown_ = 0;
};

}  // namespace assay

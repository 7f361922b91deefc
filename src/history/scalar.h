// Values as the input gives them, with the equality that docs/levels.md defines.
//
// A Scalar is a kind and 64 bits. Text, decimals and rows, which do not fit, are interned in a ScalarPool, so
// that equality compares two numbers. Two values are equal when they have the same JSON type and the same
// value: 1 equals 1.0 and 1e0, but never "1". Numbers are exact. A number that is not a 64-bit integer
// becomes a decimal in normal form (without leading or trailing zeros, so 0.10 equals 0.1), never a double,
// because two different 20-digit hashes must stay different. A row is an object of columns; their order does
// not matter.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/column.h"
#include "base/flat_index.h"

namespace assay {

enum class ScalarKind : std::uint8_t { Null, Boolean, Integer, Decimal, String, Row };

struct Scalar {
  ScalarKind kind = ScalarKind::Null;
  std::uint64_t bits = 0;  // the integer, the boolean, or the number of the interned text or row

  static constexpr Scalar null() { return {}; }
  static constexpr Scalar boolean(bool b) { return {ScalarKind::Boolean, b}; }
  static constexpr Scalar integer(std::int64_t i) {
    return {ScalarKind::Integer, static_cast<std::uint64_t>(i)};
  }

  constexpr bool is_null() const { return kind == ScalarKind::Null; }
  constexpr bool is_integer() const { return kind == ScalarKind::Integer; }
  constexpr bool is_string() const { return kind == ScalarKind::String; }
  constexpr std::int64_t as_integer() const { return static_cast<std::int64_t>(bits); }
  friend constexpr bool operator==(Scalar, Scalar) = default;
};

struct RowField {
  Scalar column;  // a string
  Scalar value;
  friend constexpr bool operator==(RowField, RowField) = default;
};

// The fields of an interned row, sorted by column name. Most rows have the same columns as many others, so
// the pool stores each list of columns (a shape) once.
class RowFields {
 public:
  RowFields(std::span<const Scalar> columns, const ScalarKind* kinds, const std::uint64_t* bits)
      : columns_(columns), kinds_(kinds), bits_(bits) {}

  std::size_t size() const { return columns_.size(); }
  bool empty() const { return columns_.empty(); }
  RowField operator[](std::size_t i) const { return {columns_[i], {kinds_[i], bits_[i]}}; }

  struct Iterator {
    const RowFields* of;
    std::size_t at;
    RowField operator*() const { return (*of)[at]; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    friend bool operator==(Iterator a, Iterator b) { return a.at == b.at; }
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  std::span<const Scalar> columns_;
  const ScalarKind* kinds_;
  const std::uint64_t* bits_;
};

class ScalarPool {
 public:
  Scalar string(std::string_view text);
  // Interns any JSON number. Nothing when `text` is not a number, or its exponent has more than six digits.
  std::optional<Scalar> number(std::string_view text);
  // The columns must differ. Sorts the span by column name.
  Scalar row(std::span<RowField> fields);
  Scalar row(std::vector<RowField> fields) { return row(std::span(fields)); }
  // Interns many rows: `ends[i]` is the end of row i in `fields`. Prefetches the look-ups of later rows while
  // it handles earlier ones.
  void rows(std::span<RowField> fields, std::span<const std::uint32_t> ends, std::vector<Scalar>& into);

  // Frees the index of rows. No more rows may be added.
  void seal() {
    row_index_ = {};
    is_sealed_ = true;
  }

  // The characters of a String or Decimal.
  std::string_view text(Scalar scalar) const;
  RowFields fields(Scalar row) const;

  // Interns a scalar of another pool in this one.
  Scalar import(Scalar scalar, const ScalarPool& from);

  // Prints the scalar as JSON, as the native format has it.
  void print_json(Scalar scalar, std::string& out) const;
  std::string to_json(Scalar scalar) const;

 private:
  Scalar intern(ScalarKind kind, std::string_view text);
  std::string_view text(std::uint64_t number) const;
  std::uint32_t sort_and_find_shape(std::span<RowField> fields);
  Scalar row(std::span<const RowField> fields, std::uint32_t shape, std::uint64_t hash);
  std::span<const Scalar> columns(std::uint32_t shape) const {
    return {columns_.data() + shape_begin_[shape], shape_begin_[shape + 1] - shape_begin_[shape]};
  }
  RowFields fields(std::uint32_t row) const {
    const std::uint64_t first = cells_begin_[row];
    return {columns(shape_[row]), cell_kinds_.data() + first, cell_bits_.data() + first};
  }

  Column<char> characters_;
  Column<std::uint64_t> text_end_;  // text i begins where text i - 1 ends
  FlatIndex text_index_;
  std::vector<Scalar> columns_;  // of all shapes, each sorted by name
  std::vector<std::uint32_t> shape_begin_{0};
  FlatIndex shape_index_;
  std::uint32_t last_shape_ = 0;
  Column<std::uint32_t> shape_;        // by row
  Column<std::uint64_t> cells_begin_;  // by row
  Column<ScalarKind> cell_kinds_;
  Column<std::uint64_t> cell_bits_;
  FlatIndex row_index_;
  bool is_sealed_ = false;
};

// Appends `text` as a JSON string, with its quotes. Requires UTF-8: readers reject other input.
void print_json_string(std::string_view text, std::string& out);

}  // namespace assay

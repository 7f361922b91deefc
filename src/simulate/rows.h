// Rows as the simulated store represents them: one number each.
//
// A scalar row is its number. A row with two columns has v1 in the upper half and v2 in the lower half;
// neither is negative, so the number is not. A filter is the predicate of a workload: one column lies between
// two constants.
//
// An update by v1 sets v2 in each row that it finds, and the reverse. The new value is arithmetic on the key,
// so that a database can do the update in one statement: the key times a stride, plus a shift, modulo the
// domain. No two updates have the same shift, so no value returns in a row. The strides are the domain
// divided by irrational numbers, a different one for each column, so values stay evenly spread over the
// domain.
#pragma once

#include <cstdint>
#include <string_view>

#include "simulate/store.h"

namespace assay {

enum class RowColumn : std::uint8_t { Value, V1, V2 };

inline constexpr std::string_view name_of(RowColumn column) {
  return column == RowColumn::V1 ? "v1" : column == RowColumn::V2 ? "v2" : "value";
}

inline constexpr std::int64_t two_columns(std::uint32_t v1, std::uint32_t v2) {
  return static_cast<std::int64_t>(std::uint64_t{v1} << 32 | v2);
}

inline constexpr std::int64_t column_of(std::int64_t row, RowColumn column) {
  switch (column) {
    case RowColumn::V1: return row >> 32;
    case RowColumn::V2: return row & UINT32_MAX;
    case RowColumn::Value: break;
  }
  return row;
}

struct RowFilter {
  RowColumn column = RowColumn::Value;
  std::int64_t low = 0, high = 0;  // both inclusive

  bool matches(std::int64_t row) const {
    return row != kNoRow && low <= column_of(row, column) && column_of(row, column) <= high;
  }
};

inline constexpr std::int64_t kRowDomain = std::int64_t{1} << 30;

inline constexpr std::int64_t row_stride(RowColumn column) {
  return column == RowColumn::V1 ? 663608941 : 444758427;
}

inline constexpr std::uint32_t spread_value(RowColumn column, StoreKey key, std::int64_t shift) {
  return static_cast<std::uint32_t>((key.value * row_stride(column) + shift) % kRowDomain);
}

// The column that an update by this filter sets: the other one.
inline constexpr RowColumn updated_column(const RowFilter& filter) {
  return filter.column == RowColumn::V1 ? RowColumn::V2 : RowColumn::V1;
}

// A row with two columns after the update.
inline constexpr std::int64_t updated_row(StoreKey key, std::int64_t old, const RowFilter& filter,
                                          std::int64_t shift) {
  const RowColumn changed = updated_column(filter);
  const auto kept = static_cast<std::uint32_t>(column_of(old, filter.column));
  const std::uint32_t given = spread_value(changed, key, shift);
  return changed == RowColumn::V2 ? two_columns(kept, given) : two_columns(given, kept);
}

}  // namespace assay

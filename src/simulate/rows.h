// Rows as the simulated store holds them: one number each.
//
// A scalar row is its number. A row of two columns, v1 and v2, has v1 in the upper and v2 in the lower half;
// neither is negative, so the whole is not. A filter is the predicate that workloads ask with: one column
// between two constants.
#pragma once

#include <cstdint>

#include "simulate/store.h"

namespace assay {

enum class RowColumn : std::uint8_t { Value, V1, V2 };

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

}  // namespace assay

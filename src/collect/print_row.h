// How journals spell numbers and rows.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "base/column.h"
#include "simulate/rows.h"

namespace assay {

inline constexpr std::size_t kLongestNumber = 20;

inline void print_text(std::string_view bytes, std::string& text) { text += bytes; }
inline void print_number(std::int64_t number, std::string& text) {
  char digits[kLongestNumber];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

inline void print_text(std::string_view bytes, Column<char>& text) {
  bytes.copy(text.append_for_overwrite(bytes.size()), bytes.size());
}
inline void print_number(std::int64_t number, Column<char>& text) {
  char* const digits = text.append_for_overwrite(kLongestNumber);
  const char* const end = std::to_chars(digits, digits + kLongestNumber, number).ptr;
  text.truncate(static_cast<std::size_t>(end - text.data()));
}

template <class Text>
void print_row(std::int64_t row, bool has_two_columns, Text& text) {
  if (row == kNoRow) return print_text("null", text);
  if (!has_two_columns) return print_number(row, text);
  print_text("{\"v1\":", text);
  print_number(column_of(row, RowColumn::V1), text);
  print_text(",\"v2\":", text);
  print_number(column_of(row, RowColumn::V2), text);
  print_text("}", text);
}

}  // namespace assay

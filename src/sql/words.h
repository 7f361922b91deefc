// Words out of SQL text, which minds neither case nor the blanks around them.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace assay::sql {

inline bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

inline std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

}  // namespace assay::sql

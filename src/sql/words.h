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

// Whether the text has this word, in lower case, with nothing that belongs to a name on either side.
inline bool has_word(std::string_view text, std::string_view word) {
  const std::string all = lowered(text);
  const auto part_of_name = [&](std::size_t at) {
    return at < all.size() && (std::isalnum(static_cast<unsigned char>(all[at])) != 0 || all[at] == '_');
  };
  for (auto at = all.find(word); at != all.npos; at = all.find(word, at + 1))
    if ((at == 0 || !part_of_name(at - 1)) && !part_of_name(at + word.size())) return true;
  return false;
}

}  // namespace assay::sql

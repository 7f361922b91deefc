// Kinds of characters, in the text of statements and of logs.
#pragma once

#include <cctype>

namespace assay::sql_log {

inline bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace assay::sql_log

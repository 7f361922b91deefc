// Helpers of the line-based readers: parsing integers, and quoting input in errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text);  // spaces and tabs

// Parses the whole of `text` as a 64-bit integer. If it returns false, bad_integer() says why.
bool parse_integer(std::string_view text, std::int64_t& value);
// `what` is "the key", "the value", ...
Error bad_integer(std::string_view what, std::string_view text);

// Quotes `text` for an error: cut to a few words, with bytes that are not printable ASCII as \xNN.
std::string excerpt(std::string_view text);

// For detection: the first line of a file's beginning that is not blank, and whether it is complete.
struct FirstLine {
  std::string_view text;
  bool complete = false;
};
FirstLine first_line(std::string_view beginning);

}  // namespace assay

// What the line-based readers share: integers out of text, and input shown in an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text);  // spaces and tabs

// The whole of `text` as an integer of 64 bits. False: bad_integer() says why.
bool parse_integer(std::string_view text, std::int64_t& value);
// `what` is "the key", "the value", ...
Error bad_integer(std::string_view what, std::string_view text);

// `text` in quotes for a person: cut to a few words, with bytes that are not printable ASCII as \xNN.
std::string excerpt(std::string_view text);

// The lines of a file's beginning, for detection: the first that is not blank, and whether all of it
// is there.
struct FirstLine {
  std::string_view text;
  bool complete = false;
};
FirstLine first_line(std::string_view beginning);

}  // namespace assay

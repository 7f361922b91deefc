// A cursor over text in the form that our own writer produces: no white space, no escapes, integers without a
// sign.
//
// Each step returns whether it found what it expects, and moves behind it. No step tests for the end of the
// text: ByteSource::kPadding bytes after it must be readable, and a step that reaches them fails there.
#pragma once

#include <cstring>
#include <string_view>

#include "history/builder.h"
#include "history_io/digits.h"

namespace assay {

class PlainText {
 public:
  PlainText(std::string_view text, HistoryBuilder& builder)
      : builder_(builder), at_(text.data()), end_(text.data() + text.size()) {}

 protected:
  bool literal(std::string_view text) {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }

  bool character(char c) { return *at_++ == c; }

  bool integer(Scalar& into) {
    std::uint64_t number = 0;
    const std::size_t digits = parse_digits(at_, number);
    if (digits == 0 || (*at_ == '0' && digits > 1)) return false;
    into = {ScalarKind::Integer, number};
    at_ += digits;
    return true;
  }

  // An ASCII string without escapes; returns it without its quotes.
  bool string(std::string_view& into) {
    if (*at_ != '"') return false;
    const char* begin = ++at_;
    while (*at_ != '"' && *at_ != '\\' && *at_ >= ' ') ++at_;
    into = {begin, static_cast<std::size_t>(at_ - begin)};
    return character('"');
  }

  // An integer or a string.
  bool name(Scalar& into) {
    if (*at_ != '"') return integer(into);
    std::string_view text;
    if (!string(text)) return false;
    into = builder_.pool().string(text);
    return true;
  }

  HistoryBuilder& builder_;
  const char* at_;
  const char* end_;
};

}  // namespace assay

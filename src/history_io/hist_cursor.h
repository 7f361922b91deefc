// Reads the text of a `.hist` file one character at a time, and counts lines.
//
// The reader usually notices a mistake only at the next significant character, which may be lines below. So
// errors name the line of the last character that was accepted.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "history_io/byte_source.h"

namespace assay {

// Whether the character may be part of a bare word, such as the key row-7.
inline bool is_hist_word(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '+' || c == '.' || c == '/' || c >= 0x80;
}

class HistCursor {
 public:
  explicit HistCursor(ByteSource& source) : source_(source) {}

  int peek() {
    if (source_.window().empty() && !source_.refill()) return -1;
    return static_cast<unsigned char>(source_.window().front());
  }
  int peek_second() { return source_.need(2) ? static_cast<unsigned char>(source_.window()[1]) : -1; }
  void skip() {
    accepted_ = line_;
    skip_any();
  }
  bool accept(char c) {
    if (peek() != static_cast<unsigned char>(c)) return false;
    skip();
    return true;
  }
  void skip_space() {
    for (int c = peek(); c >= 0; c = peek()) {
      if (c == '#')
        while (peek() >= 0 && peek() != '\n') skip_any();
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') skip_any();
      else break;
    }
  }

  // Consumes `text` if it comes next, as a whole word.
  bool accept_word(std::string_view text) {
    source_.need(text.size() + 1);
    const std::string_view rest = source_.window();
    if (!rest.starts_with(text)) return false;
    if (rest.size() > text.size() && is_hist_word(static_cast<unsigned char>(rest[text.size()])))
      return false;
    source_.consume(text.size());
    accepted_ = line_;
    return true;
  }

  std::uint64_t line() const { return accepted_; }  // of the last accepted character

  Error wrong(std::string what, std::string remedy = {}) const {
    return wrong_at(accepted_, std::move(what), std::move(remedy));
  }
  Error wrong_at(std::uint64_t line, std::string what, std::string remedy = {}) const {
    if (source_.failure()) return *source_.failure();
    return {std::move(what), std::move(remedy), source_.name(), std::to_string(line)};
  }
  // The error for a missing part of something incomplete.
  Error expected(std::string_view what) {
    if (peek() >= 0 && (line_ != accepted_ || peek() == '\n'))
      return wrong(fmt::format("expected {}, but the line ends", what));
    return unexpected(what);
  }
  // The error for a character that cannot begin anything here.
  Error unexpected(std::string_view what) {
    const int c = peek();
    if (c < 0) return wrong(fmt::format("expected {}, but the file ends", what));
    const std::string found =
        c < 0x20 || c >= 0x7f ? fmt::format("byte 0x{:02x}", c) : fmt::format("'{}'", static_cast<char>(c));
    return wrong_at(line_, fmt::format("expected {}, but found {}", what, found));
  }

 private:
  void skip_any() {
    if (peek() == '\n') ++line_;
    source_.consume(1);
  }

  ByteSource& source_;
  std::uint64_t line_ = 1, accepted_ = 1;
};

}  // namespace assay

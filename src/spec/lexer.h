// Specification text to tokens. `#` begins a comment that ends with the line.
#pragma once

#include <string_view>
#include <vector>

#include "spec/place.h"

namespace assay::spec {

struct Token {
  enum class Kind { Name, Keyword, Symbol, String, End };
  Kind kind;
  std::string text;  // of a string: without its quotes
  Place place;
  std::string comment{};  // that stands in the lines right above it

  bool is(std::string_view what) const {
    return (kind == Kind::Symbol || kind == Kind::Keyword) && text == what;
  }
};

// Words that cannot be names.
bool is_keyword(std::string_view word);

// The last token is End.
Result<std::vector<Token>> tokens_of(std::string_view text, std::shared_ptr<const std::string> file);

}  // namespace assay::spec

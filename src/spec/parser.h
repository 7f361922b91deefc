// Tokens to Syntax, by recursive descent; docs/spec-language.md has the grammar.
#pragma once

#include <string_view>

#include "spec/syntax.h"

namespace assay::spec {

// `file` is what errors call it.
Result<File> parse(std::string_view text, const std::string& file);

}  // namespace assay::spec

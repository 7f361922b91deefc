// A text that PostgreSQL's parser took: trees, and lines for their offsets.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "sql/schema.h"
#include "sql/tree.h"

namespace assay::sql {

using FileName = std::shared_ptr<const std::string>;

struct Parsed {
  std::string text;
  FileName file;
  std::size_t first_line = 1;
  Json statements;

  Place place_at(std::size_t offset) const;
  // A statement's range begins behind the semicolon before it; its place is its first word.
  Place place_of(const Json& statement) const;
  std::string text_of_statement(const Json& statement) const;
};

// Errors are at their line of the file.
Result<Parsed> parse(std::string text, FileName file, std::size_t first_line);

}  // namespace assay::sql

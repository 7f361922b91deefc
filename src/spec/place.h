// Where something stands in a specification, for errors: file, line and column, both counted from 1.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace assay::spec {

struct Place {
  std::shared_ptr<const std::string> file;
  std::size_t line = 1, column = 1;
};

inline Error error_at(const Place& place, std::string what, std::string remedy = {}) {
  return Error{std::move(what), std::move(remedy), place.file ? *place.file : std::string(),
               fmt::format("{}:{}", place.line, place.column)};
}

}  // namespace assay::spec

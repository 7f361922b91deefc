// Errors that know their place in an SQL file.
#pragma once

#include <string>

#include "base/result.h"
#include "sql/schema.h"

namespace assay::sql {

inline Error error_at(const Place& place, std::string what, std::string remedy = {}) {
  return Error{std::move(what), std::move(remedy), place.file ? *place.file : std::string(),
               place.line == 0 ? std::string() : std::to_string(place.line)};
}

}  // namespace assay::sql

// Small words for PostgreSQL's parse trees: a node is an object with one member, its kind.
//
// Members that are zero, false or empty are left out of the JSON, so every access has a default.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sql/pg_parser.h"

namespace assay::sql {

inline const Json& nothing() {
  static const Json null;
  return null;
}

inline const Json& member(const Json& object, const char* name) {
  if (!object.is_object()) return nothing();
  const auto found = object.find(name);
  return found == object.end() ? nothing() : *found;
}

inline std::string text_of(const Json& object, const char* name) {
  const Json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

inline std::int64_t number_of(const Json& object, const char* name, std::int64_t otherwise = 0) {
  const Json& value = member(object, name);
  return value.is_number_integer() ? value.get<std::int64_t>() : otherwise;
}

inline bool flag_of(const Json& object, const char* name) {
  const Json& value = member(object, name);
  return value.is_boolean() && value.get<bool>();
}

inline std::string kind_of(const Json& node) {
  return node.is_object() && node.size() == 1 ? node.begin().key() : std::string();
}

// The inside of a node of this kind; null when it is of another.
inline const Json& as(const Json& node, const char* kind) { return member(node, kind); }

// The strings of a list of String nodes: a qualified name, the columns of a key.
inline std::vector<std::string> names_of(const Json& list) {
  std::vector<std::string> names;
  for (const Json& part : list)
    if (const Json& string = as(part, "String"); !string.is_null()) names.push_back(text_of(string, "sval"));
  return names;
}

inline std::string last_name(const Json& list) {
  const auto names = names_of(list);
  return names.empty() ? std::string() : names.back();
}

}  // namespace assay::sql

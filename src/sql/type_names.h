// PostgreSQL's names of types, and what Assay makes of them.
#pragma once

#include <string>

#include "sql/pg_parser.h"
#include "sql/schema.h"

namespace assay::sql {

struct NamedType {
  Type type = Type::Other;
  bool is_set = false;   // an array, or SETOF
  bool serial = false;   // counts up by itself
  std::string declared;  // as CREATE TABLE takes it
};

// Of a TypeName node. Unknown names (enumerations, domains) are Text: values that are compared.
NamedType type_of(const Json& type_name);
// The type that a domain restricts, or the enumeration of the name.
NamedType resolve_type(NamedType type, const Schema& schema);
// The type with a collation. All that PostgreSQL brings along tell apart what has different bytes.
std::string collated(const std::string& declared, const std::string& collation);
// Of the name alone: `numeric`, `character varying`, `int[]`.
NamedType type_of(std::string name);
// Whether a value of this type (PostgreSQL's name, domains resolved) is certainly no row.
bool is_scalar_type(std::string_view declared);

}  // namespace assay::sql

#include "sql/type_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sql/tree.h"
#include "sql/values.h"
#include "sql/words.h"

namespace assay::sql {
namespace {

constexpr std::array<std::pair<std::string_view, Type>, 45> kTypes{{
    {"int2", Type::Integer},
    {"int4", Type::Integer},
    {"int8", Type::Integer},
    {"int", Type::Integer},
    {"integer", Type::Integer},
    {"bigint", Type::Integer},
    {"smallint", Type::Integer},
    {"serial", Type::Integer},
    {"bigserial", Type::Integer},
    {"smallserial", Type::Integer},
    {"serial4", Type::Integer},
    {"serial8", Type::Integer},
    {"oid", Type::Other},
    {"numeric", Type::Decimal},
    {"decimal", Type::Decimal},
    {"float4", Type::Decimal},
    {"float8", Type::Decimal},
    {"float", Type::Decimal},
    {"real", Type::Decimal},
    {"double precision", Type::Decimal},
    {"money", Type::Decimal},
    {"text", Type::Text},
    {"varchar", Type::Text},
    {"bpchar", Type::Text},
    {"char", Type::Text},
    {"character", Type::Text},
    {"name", Type::Text},
    {"uuid", Type::Text},
    {"citext", Type::Text},
    {"bool", Type::Boolean},
    {"boolean", Type::Boolean},
    {"date", Type::Time},
    {"time", Type::Time},
    {"timetz", Type::Time},
    {"timestamp", Type::Time},
    {"timestamptz", Type::Time},
    {"interval", Type::Time},
    {"bytea", Type::Other},
    {"json", Type::Other},
    {"jsonb", Type::Other},
    {"record", Type::Other},
    {"xml", Type::Other},
    {"character varying", Type::Text},
    {"timestamp with time zone", Type::Time},
    {"timestamp without time zone", Type::Time},
}};

// Types of PostgreSQL and of common extensions that are no rows and have no kind of their own above.
constexpr std::string_view kFurtherScalars[] = {"bit",
                                                "bit varying",
                                                "box",
                                                "char",
                                                "cid",
                                                "cidr",
                                                "circle",
                                                "cube",
                                                "datemultirange",
                                                "daterange",
                                                "geography",
                                                "geometry",
                                                "hstore",
                                                "inet",
                                                "int4multirange",
                                                "int4range",
                                                "int8multirange",
                                                "int8range",
                                                "jsonpath",
                                                "line",
                                                "lseg",
                                                "ltree",
                                                "macaddr",
                                                "macaddr8",
                                                "nummultirange",
                                                "numrange",
                                                "path",
                                                "pg_lsn",
                                                "pg_snapshot",
                                                "point",
                                                "polygon",
                                                "refcursor",
                                                "regclass",
                                                "regconfig",
                                                "regdictionary",
                                                "regnamespace",
                                                "regoper",
                                                "regproc",
                                                "regprocedure",
                                                "regrole",
                                                "regtype",
                                                "tid",
                                                "time with time zone",
                                                "time without time zone",
                                                "tsmultirange",
                                                "tsquery",
                                                "tsrange",
                                                "tstzmultirange",
                                                "tstzrange",
                                                "tsvector",
                                                "txid_snapshot",
                                                "varbit",
                                                "vector",
                                                "void",
                                                "xid",
                                                "xid8"};

std::string modifiers(const Json& list) {
  std::string text;
  for (const Json& part : list) {
    const Json& value = member(as(part, "A_Const"), "ival");
    if (value.is_null()) return "";
    text += (text.empty() ? "" : ",") + std::to_string(number_of(value, "ival"));
  }
  return text.empty() ? "" : "(" + text + ")";
}

}  // namespace

NamedType type_of(std::string name) {
  name = lowered(trimmed(name));
  NamedType result{Type::Text, false, name.find("serial") != std::string::npos, name};
  if (const auto bracket = name.find('['); bracket != std::string::npos) {
    result.is_set = true;
    name = trimmed(name.substr(0, bracket));
  }
  if (const auto open = name.find('('); open != std::string::npos) name = trimmed(name.substr(0, open));
  const auto found = std::ranges::find(kTypes, name, &std::pair<std::string_view, Type>::first);
  if (found != kTypes.end()) result.type = found->second;
  return result;
}

bool is_scalar_type(std::string_view declared) {
  if (declared.ends_with("[]") || declared.starts_with("enum ")) return true;
  const std::string name = base_type(declared.substr(0, declared.find(" collate ")));
  return (name != "record" &&
          std::ranges::count(kTypes, name, &std::pair<std::string_view, Type>::first) > 0) ||
         std::ranges::count(kFurtherScalars, name) > 0;
}

NamedType resolve_type(NamedType type, const Schema& schema) {
  const std::string name = lowered(trimmed(type.declared));
  const auto known = schema.named_types.find(name);
  if (known == schema.named_types.end() || type.is_set) return type;
  NamedType resolved = type_of(known->second);
  resolved.declared = known->second;
  if (known->second.starts_with("enum ")) resolved.type = Type::Text;
  return resolved;
}

std::string collated(const std::string& declared, const std::string& collation) {
  const bool plain = collation == "C" || collation == "POSIX" || collation == "default" ||
                     collation == "ucs_basic" || collation.ends_with("-x-icu") ||
                     (collation.size() >= 5 && collation[2] == '_');  // en_US.utf8
  return plain ? declared : declared + " collate " + collation;
}

NamedType type_of(const Json& type_name) {
  NamedType result = type_of(last_name(member(type_name, "names")));
  result.declared += modifiers(member(type_name, "typmods"));
  if (!member(type_name, "arrayBounds").is_null()) {
    result.is_set = true;
    result.declared += "[]";
  }
  result.is_set |= flag_of(type_name, "setof");
  return result;
}

}  // namespace assay::sql

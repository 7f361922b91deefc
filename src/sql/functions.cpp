#include "sql/functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace assay::sql {
namespace {

struct Known {
  std::string_view name;
  Type type;
};

constexpr std::string_view kKeepsType[] = {"abs",           "round",           "floor",     "ceil",
                                           "ceiling",       "trunc",           "mod",       "date_trunc",
                                           "array_append",  "array_remove",    "array_cat", "sign",
                                           "array_prepend", "generate_series", "lag",       "lead",
                                           "first_value",   "last_value",      "nth_value"};

constexpr Known kKnown[] = {
    {"lower", Type::Text},
    {"upper", Type::Text},
    {"substr", Type::Text},
    {"substring", Type::Text},
    {"concat", Type::Text},
    {"concat_ws", Type::Text},
    {"left", Type::Text},
    {"right", Type::Text},
    {"trim", Type::Text},
    {"btrim", Type::Text},
    {"ltrim", Type::Text},
    {"rtrim", Type::Text},
    {"replace", Type::Text},
    {"format", Type::Text},
    {"to_char", Type::Text},
    {"md5", Type::Text},
    {"encode", Type::Text},
    {"lpad", Type::Text},
    {"rpad", Type::Text},
    {"initcap", Type::Text},
    {"repeat", Type::Text},
    {"split_part", Type::Text},
    {"regexp_replace", Type::Text},
    {"quote_literal", Type::Text},
    {"chr", Type::Text},
    {"reverse", Type::Text},
    {"current_setting", Type::Text},
    {"length", Type::Integer},
    {"char_length", Type::Integer},
    {"array_length", Type::Integer},
    {"cardinality", Type::Integer},
    {"array_upper", Type::Integer},
    {"array_lower", Type::Integer},
    {"position", Type::Integer},
    {"strpos", Type::Integer},
    {"ascii", Type::Integer},
    {"hashtext", Type::Integer},
    {"txid_current", Type::Integer},
    {"div", Type::Integer},
    {"bit_length", Type::Integer},
    {"octet_length", Type::Integer},
    {"random", Type::Decimal},
    {"sqrt", Type::Decimal},
    {"power", Type::Decimal},
    {"exp", Type::Decimal},
    {"ln", Type::Decimal},
    {"log", Type::Decimal},
    {"to_number", Type::Decimal},
    {"date_part", Type::Decimal},
    {"extract", Type::Decimal},
    {"now", Type::Time},
    {"clock_timestamp", Type::Time},
    {"statement_timestamp", Type::Time},
    {"transaction_timestamp", Type::Time},
    {"to_timestamp", Type::Time},
    {"to_date", Type::Time},
    {"make_interval", Type::Time},
    {"age", Type::Time},
    {"timeofday", Type::Text},
    {"pg_advisory_xact_lock", Type::Other},
    {"pg_advisory_lock", Type::Other},
    {"pg_advisory_unlock", Type::Boolean},
    {"pg_try_advisory_xact_lock", Type::Boolean},
    {"pg_sleep", Type::Other},
    {"pg_notify", Type::Other},
    {"pg_typeof", Type::Other},
    {"gen_salt", Type::Text},
    {"gen_random_bytes", Type::Other},
    {"overlaps", Type::Boolean},
    {"set_config", Type::Text},
    {"currval", Type::Integer},
    {"lastval", Type::Integer},
    {"json_build_object", Type::Other},
    {"jsonb_build_object", Type::Other},
    {"to_json", Type::Other},
    {"to_jsonb", Type::Other},
    {"row_to_json", Type::Other},
    {"unnest", Type::Other},
    {"string_to_array", Type::Text},
    {"array_to_string", Type::Text},
    {"pg_backend_pid", Type::Integer},
    {"num_nulls", Type::Integer},
    {"row_number", Type::Integer},
    {"rank", Type::Integer},
    {"dense_rank", Type::Integer},
    {"ntile", Type::Integer},
    {"percent_rank", Type::Decimal},
    {"cume_dist", Type::Decimal},
};

// By name. What is not above: any value of the type is assumed.
constexpr Known kPure[] = {
#include "sql/pure_functions.inc"
};

constexpr std::string_view kFresh[] = {"nextval", "gen_random_uuid", "uuid_generate_v4", "uuid_generate_v1"};

// Of extensions: a dump writes them with the schema that the extension was put into.
constexpr std::string_view kOfExtensions[] = {"armor",
                                              "crypt",
                                              "dearmor",
                                              "decrypt",
                                              "difference",
                                              "digest",
                                              "dmetaphone",
                                              "encrypt",
                                              "gen_random_bytes",
                                              "gen_random_uuid",
                                              "gen_salt",
                                              "hmac",
                                              "levenshtein",
                                              "metaphone",
                                              "pgp_sym_decrypt",
                                              "pgp_sym_encrypt",
                                              "similarity",
                                              "show_trgm",
                                              "soundex",
                                              "unaccent",
                                              "uuid_generate_v1",
                                              "uuid_generate_v4",
                                              "word_similarity",
                                              "pgp_pub_decrypt",
                                              "pgp_pub_encrypt"};
constexpr std::string_view kSchemasOfExtensions[] = {"public", "extensions"};

constexpr std::string_view kAggregates[] = {
    "count",     "sum",        "min",      "max",       "avg",    "bool_and", "bool_or", "every",
    "array_agg", "string_agg", "json_agg", "jsonb_agg", "stddev", "variance", "bit_and", "bit_or"};

template <class List>
bool among(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

}  // namespace

std::optional<Type> type_of_function(std::string_view name, Type first) {
  if (among(kKeepsType, name)) return first;
  const auto known = std::ranges::find(kKnown, name, &Known::name);
  if (known != std::end(kKnown)) return known->type;
  const auto pure = std::ranges::lower_bound(kPure, name, {}, &Known::name);
  if (pure == std::end(kPure) || pure->name != name) return std::nullopt;
  return pure->type;
}

std::string name_of_function(const Json& name) {
  const auto names = names_of(name);
  if (names.empty()) return "";
  if (names.size() == 2 && among(kSchemasOfExtensions, names[0]) && among(kOfExtensions, names[1]))
    return names[1];
  return names.size() == 1 || names[names.size() - 2] == "pg_catalog"
             ? names.back()
             : fmt::format("{}", fmt::join(names, "."));
}

bool gives_fresh_values(std::string_view function) { return among(kFresh, function); }

std::string fresh_source(std::string_view function, const Json& arguments) {
  if (function != "nextval") return "random UUIDs";
  if (arguments.size() != 1) return "";
  const Json& cast = as(arguments[0], "TypeCast");
  const Json& name = as(cast.is_null() ? arguments[0] : member(cast, "arg"), "A_Const");
  return text_of(member(name, "sval"), "sval");
}

bool is_volatile(std::string_view function) {
  return function == "random" || function == "clock_timestamp" || function == "timeofday" ||
         function == "gen_salt" || function == "gen_random_bytes" || gives_fresh_values(function) ||
         function.find("advisory") != function.npos;
}
bool is_aggregate(std::string_view function) { return among(kAggregates, function); }

}  // namespace assay::sql

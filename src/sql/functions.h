// Functions of PostgreSQL that read no table, and the type of what they give.
//
// A function that is neither here nor in the files may do anything. Most of the table is generated from
// PostgreSQL's own classes of volatility (scripts/pure_functions.sh).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sql/schema.h"
#include "sql/tree.h"

namespace assay::sql {

// As a call names it: a function of PostgreSQL without its schema, one of another schema with it.
std::string name_of_function(const Json& name);

// `first` is the type of the first argument, which many functions keep.
std::optional<Type> type_of_function(std::string_view name, Type first);

bool gives_fresh_values(std::string_view function);  // sequences, random UUIDs
// What the values of a call come from, as the text names it: calls of one source give different values. Empty
// when that is not known.
std::string fresh_source(std::string_view function, const Json& arguments);
// Gives something else each time it is called, also within one statement.
bool is_volatile(std::string_view function);
bool is_aggregate(std::string_view function);

}  // namespace assay::sql

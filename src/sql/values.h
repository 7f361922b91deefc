// Values as the server compares them: when two spellings are one value, and what a cast keeps.
//
// A value of the model stands for all spellings that the server calls equal. So a literal is brought into one
// spelling per value; where Assay does not know how (time zones, JSON, an extension's type) the literal is an
// Unknown, which may equal anything. A cast is the identity only where no two values become one and equality
// stays what it was; every other cast is a function that Assay does not calculate.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sql/expression.h"
#include "sql/type_names.h"

namespace assay::sql {

// PostgreSQL's own name of a type, without length and precision: `int4` for `integer`, `bpchar` for
// `char(3)`.
std::string base_type(std::string_view declared);

// The spelling that stands for this literal of the type.
std::optional<std::string> canonical(const NamedType& type, const std::string& text);

// The literal as a value of the type.
ExpressionPtr literal(const NamedType& type, const std::string& text);

// The value after a cast to the type; an assignment refuses what is too long where a cast would cut it.
enum class Conversion : std::uint8_t { Cast, Assignment };
ExpressionPtr converted(const ExpressionPtr& value, const NamedType& to, Conversion how);

// Whether an assignment to `varchar(n)` may cut blanks of a text.
bool cuts_blanks(const Expression& value, const std::string& declared);

// A value that may be a row: one of several columns.
bool may_be_row(const Expression& value);

// Whether the server compares these two without converting one in a way that may make values equal.
bool compare_alike(const Expression& a, const Expression& b);

}  // namespace assay::sql

// Statements of the model back to SQL: for people, and for running them one by one.
#pragma once

#include <functional>
#include <string>

#include "sql/program.h"

namespace assay::sql {

// How variables are spelled; the default is `:name`. Whoever runs statements gives literals.
using SpellVariable = std::function<std::string(VariableId)>;

struct Spelling {
  std::string text;
  bool complete = true;  // false when something has no spelling: an expression that was not understood
};

// One SELECT, INSERT, UPDATE or DELETE without a semicolon. Results come in the order of outputs; a value
// that is read but has no variable is among them.
Spelling to_sql(const Statement& statement, const Schema& schema, const SpellVariable& spell);
Spelling to_sql(const Select& select, const Schema& schema, const SpellVariable& spell);
// Of an expression without fields.
Spelling to_sql(const ExpressionPtr& expression, const SpellVariable& spell);
// Of one over the columns of a table, by their bare names.
Spelling to_sql(const ExpressionPtr& expression, const Schema& schema, TableId table,
                const SpellVariable& spell);

SpellVariable names_of(const Program& program);
std::string quoted(const std::string& text);  // 'it''s'
std::string quoted_name(const std::string& name);

// A whole program, indented, one statement a line; for tests and for `assay analyze --programs`.
std::string to_text(const Program& program, const Schema& schema);

}  // namespace assay::sql

// Expressions of SQL, after names were resolved: immutable trees that statements share.
//
// The logic is SQL's, with three values: a comparison with NULL is NULL, a WHERE keeps the rows where it is
// true, an If takes its second branch when the condition is false or NULL. What Assay cannot calculate is an
// Unknown: any value of its type, which may depend on exactly its kids (so their fields are read).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sql/schema.h"

namespace assay::sql {

using VariableId = Id<struct VariableTag>;  // within its program
using SourceId = Id<struct SourceTag>;      // within its statement: 0 for the table of UPDATE and DELETE

struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    Constant,  // `text` is the value in PostgreSQL's spelling without quotes, or `null`
    Variable,  // of the program
    Field,     // `column` of the row of `source`
    Element,   // kids: a Variable that is a set (an array), and the index, counted from 1
    Fresh,     // a value that no other evaluation of the source `text` gives: a sequence, random UUIDs
    Negate,    // arithmetic: one kid, then two
    Add,
    Subtract,
    Multiply,
    Divide,  // of PostgreSQL: cuts towards zero when both are integers
    Modulo,
    Equal,  // comparisons: two kids
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,  // two or more kids
    Or,
    Not,
    IsNull,   // one kid
    In,       // the first kid among the others; when the second is a set variable: among its elements
    Case,     // condition, value, condition, value, ..., and last the value when none is true
    Unknown,  // `text` spells it with {} for each kid, for replays; empty when it cannot be spelled
  };
  Kind kind;
  Type type = Type::Other;
  std::vector<ExpressionPtr> kids{};
  std::string text{};
  bool null = false;
  VariableId variable{};
  SourceId source{};
  ColumnId column{};
  bool varies = false;     // of Unknown and Fresh: it may differ from row to row of its statement
  std::string declared{};  // PostgreSQL's type (`numeric(12,2)`), where it is known; equality depends on it
};

ExpressionPtr constant(std::int64_t value);
ExpressionPtr constant(Type type, std::string text);
ExpressionPtr null_constant(Type type = Type::Other);
ExpressionPtr truth(bool value);
ExpressionPtr variable(VariableId id, Type type = Type::Integer);
ExpressionPtr field(ColumnId column, Type type = Type::Integer, SourceId source = SourceId(0));
// `source` is what the values come from: two of one source never give the same.
ExpressionPtr make_fresh(Type type, std::string source);
ExpressionPtr unknown(Type type, std::vector<ExpressionPtr> depends_on = {}, std::string text = {});
// A value that the rows of one statement need not share: a column of a query that was taken apart, random().
ExpressionPtr varying(Type type, std::vector<ExpressionPtr> depends_on = {}, std::string text = {});
// The same expression, with its PostgreSQL type.
ExpressionPtr typed(const ExpressionPtr& expression, std::string declared);
// Any other kind from its kids; comparisons and logic are Boolean, arithmetic has the type of its first kid.
ExpressionPtr make(Expression::Kind kind, std::vector<ExpressionPtr> kids);
// Of values that PostgreSQL brings to one type: decimal where one of them is; Other without any.
Type common_type(const std::vector<ExpressionPtr>& values);
// Null when `parts` is empty, the part itself when it is one.
ExpressionPtr all_of(std::vector<ExpressionPtr> parts);

// `visit(expression)` for the expression and everything below, parents first. Null is allowed.
template <class Visit>
void walk(const ExpressionPtr& expression, Visit&& visit) {
  if (!expression) return;
  visit(*expression);
  for (const ExpressionPtr& kid : expression->kids) walk(kid, visit);
}

bool is_comparison(Expression::Kind kind);
bool contains(const ExpressionPtr& expression, Expression::Kind kind);
// Whether both are written alike and have one value wherever variables and fields have the same values. Not
// known of what cannot be spelled.
bool same_expression(const ExpressionPtr& a, const ExpressionPtr& b);
// Whether it may differ from row to row: it has a field, or something that varies.
bool depends_on_row(const ExpressionPtr& expression);

}  // namespace assay::sql

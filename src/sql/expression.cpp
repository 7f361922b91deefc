#include "sql/expression.h"

#include "base/contract.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

ExpressionPtr shared(Expression expression) {
  return std::make_shared<const Expression>(std::move(expression));
}

// NULL has no type of its own, and a decimal operand makes the result decimal.
Type common_type(const std::vector<ExpressionPtr>& kids, std::size_t first, std::size_t step) {
  Type type = Type::Other;
  for (std::size_t i = first; i < kids.size(); i += step)
    if (type == Type::Other || kids[i]->type == Type::Decimal) type = kids[i]->type;
  return type;
}

// The values of a Case stand behind its conditions, and the last one alone.
Type case_type(const std::vector<ExpressionPtr>& kids) {
  const Type type = common_type(kids, 1, 2), last = kids.back()->type;
  return type == Type::Other || last == Type::Decimal ? last : type;
}

// The one PostgreSQL type of all values of a Case, or nothing.
std::string case_declared(const std::vector<ExpressionPtr>& kids) {
  std::string declared = kids.back()->declared;
  for (std::size_t i = 1; i < kids.size(); i += 2) {
    if (kids[i]->null) continue;
    if (kids.back()->null && i == 1) declared = kids[i]->declared;
    if (kids[i]->declared != declared) return "";
  }
  return declared;
}

}  // namespace

Type common_type(const std::vector<ExpressionPtr>& values) { return common_type(values, 0, 1); }

ExpressionPtr constant(std::int64_t value) { return constant(Type::Integer, std::to_string(value)); }

ExpressionPtr constant(Type type, std::string text) {
  return shared({.kind = Kind::Constant, .type = type, .text = std::move(text)});
}

ExpressionPtr null_constant(Type type) {
  return shared({.kind = Kind::Constant, .type = type, .null = true});
}

ExpressionPtr truth(bool value) { return constant(Type::Boolean, value ? "true" : "false"); }

ExpressionPtr variable(VariableId id, Type type) {
  return shared({.kind = Kind::Variable, .type = type, .variable = id});
}

ExpressionPtr field(ColumnId column, Type type, SourceId source) {
  return shared({.kind = Kind::Field, .type = type, .source = source, .column = column});
}

ExpressionPtr make_fresh(Type type, std::string source) {
  return shared({.kind = Kind::Fresh, .type = type, .text = std::move(source)});
}

ExpressionPtr unknown(Type type, std::vector<ExpressionPtr> depends_on, std::string text) {
  return shared(
      {.kind = Kind::Unknown, .type = type, .kids = std::move(depends_on), .text = std::move(text)});
}

ExpressionPtr varying(Type type, std::vector<ExpressionPtr> depends_on, std::string text) {
  return shared({.kind = Kind::Unknown,
                 .type = type,
                 .kids = std::move(depends_on),
                 .text = std::move(text),
                 .varies = true});
}

ExpressionPtr typed(const ExpressionPtr& expression, std::string declared) {
  if (expression->declared == declared) return expression;
  Expression copy = *expression;
  copy.declared = std::move(declared);
  return shared(std::move(copy));
}

ExpressionPtr make(Kind kind, std::vector<ExpressionPtr> kids) {
  for (const ExpressionPtr& kid : kids) ASSAY_REQUIRE(kid != nullptr);
  Type type = Type::Boolean;
  if (kind == Kind::Case) type = case_type(kids);
  else if (kind == Kind::Element) type = kids[0]->type;
  else if (kind >= Kind::Negate && kind <= Kind::Modulo) type = common_type(kids, 0, 1);
  // Arithmetic with floating point gives floating point; what else is decimal is numeric.
  std::string declared;
  const bool arithmetic = kind >= Kind::Negate && kind <= Kind::Modulo;
  if (arithmetic && type == Type::Decimal) declared = "numeric";
  for (const ExpressionPtr& kid : kids)
    if (arithmetic && kid->declared.starts_with("float")) declared = "float8";
  if (kind == Kind::Case) declared = case_declared(kids);
  return shared({.kind = kind, .type = type, .kids = std::move(kids), .declared = std::move(declared)});
}

ExpressionPtr all_of(std::vector<ExpressionPtr> parts) {
  if (parts.empty()) return nullptr;
  return parts.size() == 1 ? parts[0] : make(Kind::And, std::move(parts));
}

bool is_comparison(Kind kind) { return kind >= Kind::Equal && kind <= Kind::GreaterEqual; }

bool contains(const ExpressionPtr& expression, Kind kind) {
  bool found = false;
  walk(expression, [&](const Expression& part) { found |= part.kind == kind; });
  return found;
}

bool depends_on_row(const ExpressionPtr& expression) {
  bool found = false;
  walk(expression, [&](const Expression& part) { found |= part.kind == Kind::Field || part.varies; });
  return found;
}

bool same_expression(const ExpressionPtr& a, const ExpressionPtr& b) {
  using Kind = Expression::Kind;
  if (!a || !b) return false;
  if (a->varies || b->varies || a->kind == Kind::Fresh || (a->kind == Kind::Unknown && a->text.empty()))
    return false;
  return a->kind == b->kind && a->type == b->type && a->text == b->text && a->null == b->null &&
         a->variable == b->variable && a->source == b->source && a->column == b->column &&
         a->declared == b->declared && std::ranges::equal(a->kids, b->kids, same_expression);
}

}  // namespace assay::sql

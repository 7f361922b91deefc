// Expressions: each kind of node of PostgreSQL's trees, to the few kinds of the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sql/functions.h"
#include "sql/lowering.h"
#include "sql/settings.h"
#include "sql/tree.h"
#include "sql/type_names.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

struct Operator {
  std::string_view name;
  Kind kind;
};
constexpr std::array<Operator, 12> kOperators{{{"+", Kind::Add},
                                               {"-", Kind::Subtract},
                                               {"*", Kind::Multiply},
                                               {"/", Kind::Divide},
                                               {"%", Kind::Modulo},
                                               {"=", Kind::Equal},
                                               {"<>", Kind::NotEqual},
                                               {"!=", Kind::NotEqual},
                                               {"<", Kind::Less},
                                               {"<=", Kind::LessEqual},
                                               {">", Kind::Greater},
                                               {">=", Kind::GreaterEqual}}};

// A literal has the type of what stands on the other side.
ExpressionPtr typed_like(const ExpressionPtr& value, const ExpressionPtr& other) {
  if (value->kind != Kind::Constant) return value;
  if (value->null) return other->type == Type::Other ? value : null_constant(other->type);
  if (value->type != Type::Text || !value->declared.empty()) return value;  // it has a type of its own
  // A comparison does not round to the scale of a column, as an assignment does.
  if (base_type(other->declared) == "numeric")
    return literal({other->type, false, false, "numeric"}, value->text);
  if (!other->declared.empty()) return literal({other->type, false, false, other->declared}, value->text);
  switch (other->type) {
    case Type::Integer: return literal({other->type, false, false, "int8"}, value->text);
    case Type::Decimal: return literal({other->type, false, false, "numeric"}, value->text);
    case Type::Boolean: return literal({other->type, false, false, "bool"}, value->text);
    case Type::Text: return value;
    default: return other->kind == Kind::Constant ? value : unknown(other->type);
  }
}

bool is_number(Type type) { return type == Type::Integer || type == Type::Decimal; }

// The type of the first, unless another one makes numbers decimal.
Type type_of_arguments(const std::vector<ExpressionPtr>& arguments) {
  if (arguments.empty()) return Type::Other;
  const Type first = arguments[0]->type;
  return first == Type::Integer ? common_type(arguments) : first;
}

std::string with_holes(std::string_view before, std::size_t count, std::string_view after) {
  std::string text(before);
  for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "{}" : ", {}";
  return text += after;
}

}  // namespace

ExpressionPtr Lowering::lower(const Json& node, Scope* scope) {
  const std::string kind = kind_of(node);
  const Json& body = node.is_object() && !node.empty() ? *node.begin() : nothing();
  if (kind == "A_Const") return lower_constant(body);
  if (kind == "ColumnRef") return lower_column(body, scope);
  if (kind == "A_Expr") return lower_operator(body, scope);
  if (kind == "TypeCast") return lower_cast(body, scope);
  if (kind == "FuncCall") return lower_call(body, scope);
  if (kind == "CaseExpr") return lower_case(body, scope);
  if (kind == "CoalesceExpr") return lower_coalesce(member(body, "args"), scope);
  if (kind == "MinMaxExpr") return lower_extreme(body, scope);
  if (kind == "SubLink") return lower_subquery(body, scope);
  if (kind == "A_Indirection") return lower_subscript(body, scope);
  if (kind == "SQLValueFunction") return lower_value_function(body);
  if (kind == "CollateClause") {
    const ExpressionPtr value = lower(member(body, "arg"), scope);
    const std::string declared = value->declared.empty() ? "text" : value->declared;
    const std::string with = collated(declared, last_name(member(body, "collname")));
    return with == declared ? value : typed(unknown(Type::Text, {value}), with);
  }
  if (kind == "NamedArgExpr") return lower(member(body, "arg"), scope);
  if (kind == "ParamRef") {
    const auto number = static_cast<std::size_t>(number_of(body, "number"));
    if (number == 0 || number > parameters.size()) {
      fail(fmt::format("there is no parameter ${}", number), "declare it: -- transaction: name(parameters)");
      return unknown(Type::Other);
    }
    const std::string& name = parameters[number - 1];
    if (ExpressionPtr value = current(name)) return value;
    const NamedType type = undeclared[name];
    const ExpressionPtr value = build_.parameter(name, type.type);
    build_.program().variables.back().declared = type.declared;
    declare(name, type, typed(value, type.declared));
    return current(name);
  }
  if (kind == "NullTest") {
    const ExpressionPtr value = lower(member(body, "arg"), scope);
    const ExpressionPtr test = make(Kind::IsNull, {value});
    if (text_of(body, "nulltesttype") != "IS_NOT_NULL") return test;
    // A row is NULL when all of its columns are, and NOT NULL when none is: each may be false.
    return may_be_row(*value) ? unknown(Type::Boolean, {value}, "({} IS NOT NULL)") : make(Kind::Not, {test});
  }
  if (kind == "BooleanTest") {
    const ExpressionPtr value = lower(member(body, "arg"), scope);
    const std::string test = text_of(body, "booltesttype");
    const bool negated = test.find("_NOT_") != std::string::npos;
    ExpressionPtr result;
    if (test.ends_with("UNKNOWN")) result = make(Kind::IsNull, {value});
    else if (test.ends_with("TRUE")) result = make(Kind::Case, {value, truth(true), truth(false)});
    else result = make(Kind::Case, {make(Kind::Not, {value}), truth(true), truth(false)});
    return negated ? make(Kind::Not, {result}) : result;
  }
  if (kind == "BoolExpr") {
    const std::string operation = text_of(body, "boolop");
    if (operation == "NOT_EXPR") return make(Kind::Not, lower_each(member(body, "args"), scope));
    return lower_all(member(body, "args"), scope, operation == "AND_EXPR" ? Kind::And : Kind::Or);
  }
  if (kind == "A_ArrayExpr" || kind == "RowExpr") {
    const char* list = kind == "RowExpr" ? "args" : "elements";
    auto kids = lower_each(member(body, list), scope);
    const std::string text =
        kind == "RowExpr" ? with_holes("ROW(", kids.size(), ")") : with_holes("ARRAY[", kids.size(), "]");
    const Type type = common_type(kids);
    return unknown(type, std::move(kids), text);
  }
  not_understood(kind.empty() ? "an expression" : kind);
  return unknown(Type::Other);
}

std::vector<ExpressionPtr> Lowering::lower_each(const Json& list, Scope* scope) {
  std::vector<ExpressionPtr> kids;
  for (const Json& part : list) kids.push_back(lower(part, scope));
  return kids;
}

// PostgreSQL need not evaluate what stands behind the first operand.
ExpressionPtr Lowering::lower_all(const Json& list, Scope* scope, Kind kind) {
  std::vector<ExpressionPtr> kids;
  for (const Json& part : list) {
    maybe_ += kids.empty() ? 0 : 1;
    kids.push_back(lower(part, scope));
    maybe_ -= kids.size() > 1 ? 1 : 0;
  }
  return make(kind, std::move(kids));
}

ExpressionPtr Lowering::lower_constant(const Json& value) {
  if (flag_of(value, "isnull")) return null_constant();
  if (const Json& number = member(value, "fval"); !number.is_null()) {
    const std::string digits = text_of(number, "fval");
    const bool whole = digits.find_first_of(".eE") == std::string::npos && digits.size() < 19;
    return constant(whole ? Type::Integer : Type::Decimal, digits);
  }
  if (const Json& word = member(value, "sval"); !word.is_null())
    return constant(Type::Text, text_of(word, "sval"));
  if (const Json& boolean = member(value, "boolval"); !boolean.is_null())
    return truth(flag_of(boolean, "boolval"));
  if (const Json& number = member(value, "ival"); !number.is_null()) {
    if (const auto positive = number_of(number, "ival"); positive != 0) return constant(positive);
    if (!text_known_) return unknown(Type::Integer);
    // The tree leaves out zero, and negative numbers too; the text tells which it was.
    const auto start = static_cast<std::size_t>(number_of(value, "location"));
    if (start >= text_.size() || text_[start] != '-') return constant(0);
    const auto digit = text_.find_first_of("0123456789", start);
    if (digit == std::string::npos) return unknown(Type::Integer);
    const auto end = text_.find_first_not_of("0123456789", digit);
    return constant(Type::Integer, "-" + text_.substr(digit, end == std::string::npos ? end : end - digit));
  }
  return unknown(Type::Text, {}, "");
}

ExpressionPtr Lowering::lower_column(const Json& reference, Scope* scope) {
  std::vector<std::string> names = names_of(member(reference, "fields"));
  const Json& fields = member(reference, "fields");
  if (!fields.empty() && !as(fields.back(), "A_Star").is_null()) {
    note("a whole row as one value: any value is assumed");
    std::vector<ExpressionPtr> all;
    for (const NamedColumn& column : expanded(names, scope)) all.push_back(column.value);
    return unknown(Type::Other, std::move(all));
  }
  if (ExpressionPtr found = resolve(names, scope)) return found;
  fail(fmt::format("{} is neither a column of these tables nor a variable", fmt::join(names, ".")),
       "check its spelling, or add the CREATE TABLE");
  return unknown(Type::Other);
}

// Columns first: PostgreSQL refuses names that could be both, unless the function says what they mean.
ExpressionPtr Lowering::resolve(const std::vector<std::string>& names, Scope* scope) {
  if (names.empty()) return nullptr;
  const std::string& column = names.back();
  if (variables_first && names.size() == 1)
    if (ExpressionPtr value = current(column)) return value;
  bool outer = false;
  for (const Scope* level = scope; level != nullptr; level = level->outer, outer = true) {
    bool open = false;
    for (const Relation& relation : level->relations) {
      if (names.size() > 1 && relation.alias != names[names.size() - 2]) continue;
      const auto found = std::ranges::find(relation.columns, column, &NamedColumn::name);
      open |= relation.columns.is_open();
      if (found == relation.columns.end()) continue;
      if (!outer) return found->value;
      if (scope->outer_fields) scope->outer_fields->push_back(found->value);
      return typed(varying(found->value->type), found->value->declared);
    }
    if (!open) continue;
    // A column that is not listed, or something outside of this query.
    const ExpressionPtr outside = names.size() > 1 ? nullptr : resolve(names, level->outer);
    if (!outside) return varying(Type::Other);
    if (!contains(outside, Kind::Field)) return typed(varying(outside->type, {outside}), outside->declared);
    if (scope->outer_fields) scope->outer_fields->push_back(outside);
    return typed(varying(outside->type), outside->declared);
  }
  if (ExpressionPtr value =
          names.size() == 1 ? current(column) : current(names[names.size() - 2] + "." + column))
    return value;
  if (names.size() > 1 && names[0] == build_.program().name)  // function.variable
    if (ExpressionPtr value = current(column)) return value;
  // A part of a record of which nothing is known, a column of a relation that was not understood.
  if (names.size() > 1)
    if (const ExpressionPtr record = current(names[names.size() - 2])) return unknown(Type::Other, {record});
  return nullptr;
}

ExpressionPtr Lowering::lower_operator(const Json& operation, Scope* scope) {
  const std::string kind = text_of(operation, "kind");
  const std::vector<std::string> written = names_of(member(operation, "name"));
  const std::string name = written.empty() ? std::string() : written.back();
  if (written.size() > 1 && written[written.size() - 2] != "pg_catalog")
    not_understood(fmt::format("the operator {}", fmt::join(written, ".")));
  const Json& right_node = member(operation, "rexpr");
  if (member(operation, "lexpr").is_null()) {
    const ExpressionPtr value = lower(right_node, scope);
    if (name == "-") return make(Kind::Negate, {value});
    if (name == "+") return value;
    return unknown(value->type, {value}, "(" + name + " {})");
  }
  const ExpressionPtr left = lower(member(operation, "lexpr"), scope);
  if (kind == "AEXPR_IN" || kind.find("BETWEEN") != std::string::npos) {
    std::vector<ExpressionPtr> kids{left};
    for (const Json& part : member(as(right_node, "List"), "items"))
      kids.push_back(typed_like(lower(part, scope), left));
    const bool alike = std::ranges::all_of(
        kids, [&](const ExpressionPtr& kid) { return kid == left || compare_alike(*left, *kid); });
    if (!alike) return unknown(Type::Boolean, std::move(kids));
    if (kind == "AEXPR_IN") {
      const ExpressionPtr in = make(Kind::In, std::move(kids));
      return name == "<>" ? make(Kind::Not, {in}) : in;
    }
    if (kids.size() != 3) return unknown(Type::Boolean, std::move(kids));
    const auto between = [&](const ExpressionPtr& low, const ExpressionPtr& high) {
      return make(Kind::And, {make(Kind::GreaterEqual, {left, low}), make(Kind::LessEqual, {left, high})});
    };
    ExpressionPtr result = between(kids[1], kids[2]);
    if (kind.ends_with("_SYM")) result = make(Kind::Or, {result, between(kids[2], kids[1])});
    return kind.find("NOT_BETWEEN") == std::string::npos ? result : make(Kind::Not, {result});
  }
  const ExpressionPtr right = lower(right_node, scope);
  if (kind == "AEXPR_OP") return lower_named_operator(name, left, right);
  if (kind == "AEXPR_OP_ANY" && name == "=" && right->kind == Kind::Variable &&
      build_.program()[right->variable].is_set && (right->declared.empty() || compare_alike(*left, *right)))
    return make(Kind::In, {left, right});
  if (kind == "AEXPR_OP_ANY") return unknown(Type::Boolean, {left, right}, "({} " + name + " ANY ({}))");
  if (kind == "AEXPR_OP_ALL") return unknown(Type::Boolean, {left, right}, "({} " + name + " ALL ({}))");
  if (kind == "AEXPR_DISTINCT" || kind == "AEXPR_NOT_DISTINCT") {
    const ExpressionPtr both_null =
        make(Kind::And, {make(Kind::IsNull, {left}), make(Kind::IsNull, {right})});
    const ExpressionPtr equal =
        make(Kind::Case, {lower_named_operator("=", left, right), truth(true), both_null});
    return kind == "AEXPR_DISTINCT" ? make(Kind::Not, {equal}) : equal;
  }
  if (kind == "AEXPR_NULLIF")
    return make(Kind::Case, {lower_named_operator("=", left, right), null_constant(left->type), left});
  const std::string word = kind == "AEXPR_LIKE"    ? (name == "!~~" ? "NOT LIKE" : "LIKE")
                           : kind == "AEXPR_ILIKE" ? (name == "!~~*" ? "NOT ILIKE" : "ILIKE")
                                                   : "";
  return unknown(Type::Boolean, {left, right}, word.empty() ? "" : "({} " + word + " {})");
}

ExpressionPtr Lowering::lower_named_operator(const std::string& name, ExpressionPtr left,
                                             ExpressionPtr right) {
  const auto found = std::ranges::find(kOperators, name, &Operator::name);
  if (found != kOperators.end()) {
    left = typed_like(left, right);
    right = typed_like(right, left);
  }
  const std::string spelled = "({} " + name + " {})";
  if (found == kOperators.end())
    return unknown(name == "||" || name == "->>" ? Type::Text : Type::Other, {left, right}, spelled);
  if (is_comparison(found->kind)) {
    // Comparing different types converts one of them, and may make values equal that were not.
    if (!compare_alike(*left, *right)) return unknown(Type::Boolean, {left, right}, spelled);
    const ExpressionPtr result = make(found->kind, {left, right});
    if (found->kind != Kind::Equal) return result;
    // What equals a value of the column fits into it.
    ExpressionPtr fits = left->kind == Kind::Field ? fits_into(right, left->declared) : nullptr;
    if (right->kind == Kind::Field) fits = fits_into(left, right->declared);
    return fits ? make(Kind::And, {result, fits}) : result;
  }
  // Dates and intervals are not calculated with.
  const bool numbers = (is_number(left->type) || left->type == Type::Other) &&
                       (is_number(right->type) || right->type == Type::Other);
  if (!numbers) return unknown(left->type, {left, right}, spelled);
  return make(found->kind, {std::move(left), std::move(right)});
}

ExpressionPtr Lowering::lower_case(const Json& node, Scope* scope) {
  const Json& subject = member(node, "arg");
  const ExpressionPtr compared = subject.is_null() ? nullptr : lower(subject, scope);
  std::vector<ExpressionPtr> kids;
  for (const Json& part : member(node, "args")) {
    const Json& when = as(part, "CaseWhen");
    maybe_ += kids.empty() ? 0 : 1;
    const bool first = kids.empty();
    ExpressionPtr condition = lower(member(when, "expr"), scope);
    kids.push_back(compared ? lower_named_operator("=", compared, condition) : condition);
    maybe_ += first ? 1 : 0;
    kids.push_back(lower(member(when, "result"), scope));
    --maybe_;
  }
  ++maybe_;
  kids.push_back(member(node, "defresult").is_null() ? null_constant()
                                                     : lower(member(node, "defresult"), scope));
  --maybe_;
  // Literals among the results take the type of the others.
  const auto result = [&](std::size_t i) -> ExpressionPtr& {
    return kids[std::min(2 * i + 1, kids.size() - 1)];
  };
  for (std::size_t i = 0; i <= kids.size() / 2; ++i)
    for (std::size_t other = 0; other <= kids.size() / 2; ++other)
      result(i) = typed_like(result(i), result(other));
  return make(Kind::Case, std::move(kids));
}

ExpressionPtr Lowering::lower_coalesce(const Json& list, Scope* scope) {
  std::vector<ExpressionPtr> values;
  for (const Json& part : list) {
    maybe_ += values.empty() ? 0 : 1;
    values.push_back(lower(part, scope));
    maybe_ -= values.size() > 1 ? 1 : 0;
  }
  std::vector<ExpressionPtr> kids;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    kids.push_back(make(Kind::Not, {make(Kind::IsNull, {values[i]})}));
    kids.push_back(values[i]);
  }
  kids.push_back(values.empty() ? null_constant() : typed_like(values.back(), values[0]));
  return kids.size() == 1 ? kids[0] : make(Kind::Case, std::move(kids));
}

// GREATEST and LEAST of two, which leave out NULLs; of more, any value.
ExpressionPtr Lowering::lower_extreme(const Json& node, Scope* scope) {
  auto kids = lower_each(member(node, "args"), scope);
  const bool greatest = text_of(node, "op") == "IS_GREATEST";
  if (kids.size() != 2) {
    const Type type = common_type(kids);
    const std::string text = with_holes(greatest ? "GREATEST(" : "LEAST(", kids.size(), ")");
    return unknown(type, std::move(kids), text);
  }
  const ExpressionPtr a = kids[0], b = kids[1];
  return make(Kind::Case, {make(Kind::IsNull, {a}), b, make(Kind::IsNull, {b}), a,
                           make(greatest ? Kind::GreaterEqual : Kind::LessEqual, {a, b}), a, b});
}

ExpressionPtr Lowering::lower_cast(const Json& node, Scope* scope) {
  const ExpressionPtr value = lower(member(node, "arg"), scope);
  const NamedType named = type_named(member(node, "typeName"));
  if (named.is_set) return unknown(named.type, {value}, "CAST({} AS " + named.declared + ")");
  return converted(value, named, Conversion::Cast);
}

namespace {

bool sets_harmless_setting(const std::vector<ExpressionPtr>& arguments) {
  return !arguments.empty() && arguments[0]->kind == Kind::Constant && !arguments[0]->null &&
         is_harmless_setting(arguments[0]->text);
}

}  // namespace

ExpressionPtr Lowering::lower_call(const Json& node, Scope* scope) {
  const std::vector<std::string> written = names_of(member(node, "funcname"));
  const std::string name = name_of_function(member(node, "funcname"));
  const bool of_server = written.size() > 1 && written[written.size() - 2] == "pg_catalog";
  const bool own = !of_server && !written.empty() && around_.functions.contains(written.back());
  if (!member(node, "over").is_null()) return lower_window(name, node, scope);
  if (is_aggregate(name) && !own) return lower_aggregate(name, node, scope);
  auto kids = lower_each(member(node, "args"), scope);
  // Types of arguments decide between functions of one name.
  if (own && written.size() == 1 && (is_aggregate(name) || type_of_function(name, Type::Other))) {
    not_understood(fmt::format("{}, a function of the files and one of PostgreSQL,", name));
    return varying(Type::Other, std::move(kids), with_holes(name + "(", 0, ")"));
  }
  if (own) {
    const bool on_rows = scope != nullptr && !scope->relations.empty();
    std::vector<Given> given;
    for (const Json& argument : member(node, "args"))
      given.push_back({text_of(as(argument, "NamedArgExpr"), "name"), kids[given.size()]});
    return call_inline(written.back(), std::move(given), on_rows);
  }
  if (gives_fresh_values(name)) {
    const Type type = name == "nextval" ? Type::Integer : Type::Text;
    const std::string source = fresh_source(name, member(node, "args"));
    if (!around_.sequences_repeat && !source.empty()) return make_fresh(type, source);
    return scope != nullptr && !scope->relations.empty() ? varying(type) : unknown(type);
  }
  if (name == "abs" && kids.size() == 1)
    return make(Kind::Case,
                {make(Kind::Less, {kids[0], constant(0)}), make(Kind::Negate, {kids[0]}), kids[0]});
  const auto type = type_of_function(name, type_of_arguments(kids));
  if (!type || (name == "set_config" && !sets_harmless_setting(kids))) {
    note(fmt::format("function {} is not known: it may read and write everything", name));
    opaque(name + "()");
    const std::string text = with_holes(name + "(", kids.size(), ")");
    return varying(Type::Other, std::move(kids), text);
  }
  if (is_volatile(name) && scope != nullptr && !scope->relations.empty())
    return varying(*type, std::move(kids), with_holes(name + "(", 0, ")"));
  if (member(node, "agg_order").is_array()) kids.push_back(unknown(Type::Other, lower_order(node, scope)));
  if (name.find("advisory") != std::string::npos)
    note(fmt::format("{}: the order that such locks force is not used", name));
  const std::string text = with_holes(name + "(", kids.size(), ")");
  return unknown(*type, std::move(kids), text);
}

// Some value that depends on what the function is given and on what its window is made of.
ExpressionPtr Lowering::lower_window(const std::string& name, const Json& node, Scope* scope) {
  auto kids = lower_each(member(node, "args"), scope);
  if (const Json& filter = member(node, "agg_filter"); !filter.is_null())
    kids.push_back(lower(filter, scope));
  const Json& window = member(node, "over");
  for (const Json& part : member(window, "partitionClause")) kids.push_back(lower(part, scope));
  for (const Json& part : member(window, "orderClause"))
    kids.push_back(lower(member(as(part, "SortBy"), "node"), scope));
  for (const char* bound : {"startOffset", "endOffset"})
    if (const Json& offset = member(window, bound); !offset.is_null()) kids.push_back(lower(offset, scope));
  const Type first = type_of_arguments(kids);
  const auto type = is_aggregate(name) ? first : type_of_function(name, first);
  if (!type || !text_of(window, "name").empty() || !text_of(window, "refname").empty()) {
    note(fmt::format("the window of {} is not understood: it may read and write everything", name));
    opaque(name + "()");
  }
  return unknown(type.value_or(Type::Other), std::move(kids));
}

std::vector<ExpressionPtr> Lowering::lower_order(const Json& call, Scope* scope) {
  std::vector<ExpressionPtr> keys;
  for (const Json& part : member(call, "agg_order"))
    keys.push_back(lower(member(as(part, "SortBy"), "node"), scope));
  return keys;
}

ExpressionPtr Lowering::lower_aggregate(const std::string& name, const Json& node, Scope* scope) {
  if (aggregating_ == nullptr) {
    fail(fmt::format("{}() where no query calculates it", name), "move it into the target list of a SELECT");
    return unknown(Type::Other);
  }
  Select* const select = std::exchange(aggregating_, nullptr);
  auto kids = lower_each(member(node, "args"), scope);
  if (const Json& filter = member(node, "agg_filter"); !filter.is_null())
    kids.push_back(lower(filter, scope));
  const bool ordered = member(node, "agg_order").is_array();
  for (ExpressionPtr& key : lower_order(node, scope)) kids.push_back(std::move(key));
  aggregating_ = select;
  const Type type = name == "count" ? Type::Integer
                    : name == "avg" ? Type::Decimal
                                    : (kids.empty() ? Type::Other : kids[0]->type);
  // Groups, filters and further arguments: as one value that depends on what it reads.
  if (select->rows == Select::Rows::All) return unknown(type, std::move(kids));
  Output output{.value = kids.empty() ? nullptr : kids[0], .distinct = flag_of(node, "agg_distinct")};
  if (kids.size() > 1) output.value = unknown(type, std::move(kids));
  const bool exact = member(node, "agg_filter").is_null() && !ordered;
  if (name == "min") output.aggregate = Output::Aggregate::Min;
  else if (name == "max") output.aggregate = Output::Aggregate::Max;
  else output.aggregate = name == "count" ? Output::Aggregate::Count : Output::Aggregate::Sum;
  output.into = temporary(name, type);
  if (name == "min" || name == "max")
    build_.program().variables.back().declared = output.value ? output.value->declared : "";
  else if (type == Type::Decimal) build_.program().variables.back().declared = "numeric";
  select->outputs.push_back(output);
  const ExpressionPtr value = build_.value_of(output.into);
  const bool known = exact && (name == "count" || name == "sum" || name == "min" || name == "max");
  return known ? value : unknown(type, {value});
}

ExpressionPtr Lowering::lower_subscript(const Json& node, Scope* scope) {
  const Json& indirection = member(node, "indirection");
  const ExpressionPtr array = lower(member(node, "arg"), scope);
  std::vector<ExpressionPtr> parts{array};
  for (const Json& part : indirection)
    for (const char* bound : {"lidx", "uidx"})
      if (const Json& index = member(as(part, "A_Indices"), bound);
          indirection.size() > 1 && !index.is_null())
        parts.push_back(lower(index, scope));
  if (indirection.size() == 1) {
    const Json& indices = as(indirection[0], "A_Indices");
    if (!indices.is_null() && !flag_of(indices, "is_slice")) {
      const ExpressionPtr index = lower(member(indices, "uidx"), scope);
      if (array->kind == Kind::Variable && build_.program()[array->variable].is_set)
        return make(Kind::Element, {array, index});
      return unknown(array->type, {array, index}, "({})[{}]");
    }
  }
  return unknown(array->type, std::move(parts));
}

ExpressionPtr Lowering::lower_value_function(const Json& node) {
  const std::string op = text_of(node, "op");
  const bool time = op.find("TIME") != std::string::npos || op.find("DATE") != std::string::npos;
  return unknown(time ? Type::Time : Type::Text, {}, time ? "current_timestamp" : "current_user");
}

// A query inside an expression runs before the statement; what it gives is a variable.
ExpressionPtr Lowering::lower_subquery(const Json& node, Scope* scope) {
  const std::string kind = text_of(node, "subLinkType");
  std::vector<ExpressionPtr> outer_fields;
  Select* const around = std::exchange(aggregating_, nullptr);
  const bool exists = kind == "EXISTS_SUBLINK", single = kind == "EXPR_SUBLINK";
  ++unsure_;
  Query inner = query(member(node, "subselect"), scope, &outer_fields, single);
  --unsure_;
  aggregating_ = around;
  inner.select.stops_early = true;
  inner.select.partial |= maybe_ > 0 || !outer_fields.empty();
  if (!outer_fields.empty())
    note("a query that depends on the row of the query around it: any result is assumed");

  ExpressionPtr result;
  const ExpressionPtr first = inner.columns.at(0);
  const Type type = first ? first->type : Type::Other;
  if (inner.select.sources.empty() && inner.select.rows != Select::Rows::Aggregate) {
    // No table: one row, unless a condition or something else decides how many.
    std::vector<ExpressionPtr> kids;
    if (inner.select.where) kids.push_back(inner.select.where);
    for (const auto& column : inner.columns) kids.push_back(column.value);
    if (const Json& tested = member(node, "testexpr"); !tested.is_null())
      kids.push_back(lower(tested, scope));
    kids.insert(kids.end(), outer_fields.begin(), outer_fields.end());
    const bool one = single && !inner.many && !inner.select.where && outer_fields.empty();
    if (one && first) return first;
    return scope == nullptr ? unknown(single ? type : Type::Boolean, std::move(kids))
                            : varying(single ? type : Type::Boolean, std::move(kids));
  }
  if (exists && inner.select.rows != Select::Rows::Aggregate) {
    inner.select.rows = Select::Rows::First;
    for (const auto& column : inner.columns) inner.select.outputs.push_back({.value = column.value});
    inner.select.effect.found = temporary("exists", Type::Boolean);
    result = build_.value_of(inner.select.effect.found);
    append(std::move(inner.select));
  } else if (!first || exists || (!single && kind != "ANY_SUBLINK" && kind != "ARRAY_SUBLINK")) {
    for (const auto& column : inner.columns)
      if (inner.select.rows != Select::Rows::Aggregate)
        inner.select.outputs.push_back({.value = column.value});
    append(std::move(inner.select));
    if (!exists) result = unknown(single ? type : Type::Boolean);
    else result = inner.found ? inner.found : truth(true);
  } else if (inner.select.rows == Select::Rows::Aggregate) {
    append(std::move(inner.select));
    result = first;
  } else {
    inner.select.rows = single ? Select::Rows::First : Select::Rows::All;
    const VariableId value =
        temporary(inner.columns.empty() ? "column" : inner.columns[0].name, type, !single);
    build_.program().variables.back().declared = first->declared;
    inner.select.outputs.push_back({.value = first, .into = value});
    append(std::move(inner.select));
    result = build_.value_of(value);
  }
  if (kind == "ANY_SUBLINK") {
    const ExpressionPtr tested = lower(member(node, "testexpr"), scope);
    const Json& operator_name = member(node, "operName");
    const bool equality = operator_name.is_null() || last_name(operator_name) == "=";
    const bool set = result->kind == Kind::Variable && build_.program()[result->variable].is_set;
    if (!equality) result = unknown(Type::Boolean, {tested, result});
    else result = set ? make(Kind::In, {tested, result}) : lower_named_operator("=", tested, result);
  }
  if (kind == "ALL_SUBLINK")
    result = unknown(Type::Boolean, {lower(member(node, "testexpr"), scope), result});
  if (outer_fields.empty()) return result;
  outer_fields.push_back(result);
  return unknown(result->type, std::move(outer_fields));
}

}  // namespace assay::sql

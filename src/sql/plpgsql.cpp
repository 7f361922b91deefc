#include "sql/plpgsql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "sql/errors.h"
#include "sql/plpgsql_body.h"

namespace assay::sql {

using Kind = Expression::Kind;

bool FunctionBody::mentions(const std::string& text, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

void FunctionBody::run() {
  const auto tree = parse_plpgsql(function_.create_function);
  if (!tree) {
    lower_.fail(tree.error().what, remedy_for(tree.error()));
    return;
  }
  lower_.variables_first = variables_win(function_.create_function);
  for (const Json& datum : member(*tree, "datums")) datums_.push_back(datum);
  initialised_.assign(datums_.size(), false);
  lower_.tracks_found = mentions(function_.create_function, "found");
  lower_.tracks_count = mentions(function_.create_function, "row_count");
  lower_.declare("found", Type::Boolean, false, truth(false));
  lower_.declare("row_count", Type::Integer, false, constant(0));
  lower_.declare(flag_name(0), Type::Boolean, false, truth(false));
  lower_.declare("sqlstate", Type::Text, false, unknown(Type::Text));
  lower_.declare("sqlerrm", Type::Text, false, unknown(Type::Text));
  const std::size_t open = lower_.builder().open_blocks();
  block(as(member(*tree, "action"), "PLpgSQL_stmt_block"));
  close_to(open);
}

// `#variable_conflict use_variable`: a name that could be both is the variable.
bool FunctionBody::variables_win(const std::string& text) {
  return mentions(text, "#variable_conflict") && mentions(text, "use_variable");
}

std::string FunctionBody::remedy_for(const Error& problem) {
  if (!problem.remedy.empty()) return problem.remedy;
  if (problem.what.find("is not a known variable") != std::string::npos)
    return "assign to plain variables, not to fields of records";
  if (problem.what.find("RETURN NEXT") != std::string::npos) return "use RETURN QUERY";
  return "this is PostgreSQL's own parser; try the function in PostgreSQL";
}

Place FunctionBody::place_of(const Json& statement) const {
  const auto line = static_cast<std::size_t>(std::max<std::int64_t>(1, number_of(statement, "lineno", 1)));
  return {function_.first_line.file, function_.first_line.line + line - 1};
}

std::string FunctionBody::name_of(std::int64_t number) const {
  const auto index = static_cast<std::size_t>(number);
  if (index >= datums_.size()) return {};
  const Json& datum = datums_[index];
  if (const Json& part = as(datum, "PLpgSQL_recfield"); !part.is_null())
    return name_of(number_of(part, "recparentno")) + "." + text_of(part, "fieldname");
  const Json& record = as(datum, "PLpgSQL_rec");
  return text_of(record.is_null() ? as(datum, "PLpgSQL_var") : record, "refname");
}

NamedType FunctionBody::declared_type(const Json& variable) const {
  const std::string name = text_of(as(member(variable, "datatype"), "PLpgSQL_type"), "typname");
  const auto percent = name.find('%');
  // Schemas are not told apart.
  std::vector<std::string> parts{""};
  for (const char c : name.substr(0, percent)) {
    if (c == '.') parts.emplace_back();
    else if (c != '"') parts.back() += c;
  }
  if (percent == std::string::npos || mentions(name.substr(percent), "rowtype"))
    return resolve_type(
        type_of(parts.back() + (percent == std::string::npos ? "" : name.substr(percent + 8))),
        lower_.schema());
  // `table.column%TYPE`, `variable%TYPE`
  const auto table = parts.size() > 1 ? lower_.schema().find(parts[parts.size() - 2]) : std::nullopt;
  const auto column = table ? lower_.schema()[*table].find(parts.back()) : std::nullopt;
  if (column) {
    const Column& like = lower_.schema()[*table][*column];
    return {like.type, false, false, like.declared};
  }
  const auto like = lower_.environment.find(parts.back());
  if (like == lower_.environment.end()) return {Type::Other, false, false, ""};
  return {like->second.type, like->second.is_set, false, like->second.declared};
}

bool FunctionBody::is_record(const std::string& name) const {
  const auto bound = lower_.environment.find(name);
  return bound != lower_.environment.end() && bound->second.record;
}

// The variables that the DECLARE in front of this block's BEGIN introduces.
void FunctionBody::declare_until(std::int64_t line, Environment& shadowed) {
  for (std::size_t i = 0; i < datums_.size(); ++i) {
    const Json& variable = as(datums_[i], "PLpgSQL_var");
    if (initialised_[i] || variable.is_null() || member(variable, "lineno").is_null()) continue;
    if (number_of(variable, "lineno") > line) continue;
    initialised_[i] = true;
    const std::string name = text_of(variable, "refname");
    for (const auto& hidden : lower_.environment)
      if (hidden.first == name || hidden.first.starts_with(name + ".")) shadowed.insert(hidden);
    const NamedType type = declared_type(variable);
    lower_.at(place_of(variable));
    lower_.declare(name, type, null_constant(type.type));
    const Json& initial = member(variable, "default_val");
    if (!initial.is_null()) set_variable(name, query_text(initial));
  }
}

std::string FunctionBody::query_text(const Json& expression) {
  return text_of(as(expression, "PLpgSQL_expr"), "query");
}

// Each expression of a statement is a query of its own, with a snapshot of its own.
Json FunctionBody::parse(std::string text) {
  lower_.builder().take_snapshot();
  auto parsed = parse_sql(text);
  if (!parsed || parsed->empty()) {
    lower_.fail(fmt::format("{}: {}", text, parsed ? "nothing here" : parsed.error().what));
    return Json();
  }
  lower_.reads_text(std::move(text));
  return member((*parsed)[0], "stmt");
}

// Expressions are what SELECT could calculate, queries and all.
void FunctionBody::evaluate_into(const std::string& expression, const Into& into) {
  const bool found = std::exchange(lower_.tracks_found, false),
             count = std::exchange(lower_.tracks_count, false);
  if (const Json query = parse("SELECT " + expression); !query.is_null()) lower_.statement(query, into);
  lower_.tracks_found = found, lower_.tracks_count = count;
}

// A whole row may come from anything that is a row: its columns may have any value.
void FunctionBody::set_variable(const std::string& name, const std::string& expression) {
  if (!is_record(name)) return evaluate_into(expression, {.variables = {name}});
  evaluate(expression);  // for what it reads
  lower_.forget(std::vector{name});
}

ExpressionPtr FunctionBody::evaluate(const std::string& expression) {
  const Json query = parse("SELECT " + expression);
  const Json& select = as(query, "SelectStmt");
  const Json& targets = member(select, "targetList");
  if (targets.size() == 1 && member(select, "fromClause").is_null())
    return lower_.expression(member(as(targets[0], "ResTarget"), "val"));
  lower_.declare("#value", Type::Other, false, null_constant());
  if (!query.is_null()) lower_.statement(query, {.variables = {"#value"}});
  return lower_.current("#value");
}

// A condition that both branches, and what comes after them, agree on.
ExpressionPtr FunctionBody::condition(const Json& expression) {
  ExpressionPtr value = evaluate(query_text(expression));
  if (!contains(value, Kind::Unknown)) return value;
  const VariableId decided = lower_.builder().local("condition", Type::Boolean);
  lower_.builder().append(Assign{decided, std::move(value)});
  return lower_.builder().value_of(decided);
}

Into FunctionBody::into_of(const Json& statement) const {
  Into into;
  into.strict = flag_of(statement, "strict");
  const Json& target =
      member(statement, "target").is_null() ? member(statement, "var") : member(statement, "target");
  if (const Json& record = as(target, "PLpgSQL_rec"); !record.is_null())
    into.record = text_of(record, "refname");
  if (const Json& scalar = as(target, "PLpgSQL_var"); !scalar.is_null())
    into.variables.push_back(text_of(scalar, "refname"));
  for (const Json& part : member(as(target, "PLpgSQL_row"), "fields"))
    into.variables.push_back(text_of(part, "name"));
  if (into.variables.size() == 1 && is_record(into.variables[0])) {
    into.record = into.variables[0];
    into.variables.clear();
  }
  return into;
}

void lower_plpgsql(const BodyOfFunction& function, Lowering& lowering) {
  FunctionBody(function, lowering).run();
}

}  // namespace assay::sql

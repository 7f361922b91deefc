#include "sql/function_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sql/parsed_text.h"
#include "sql/plpgsql.h"
#include "sql/type_names.h"
#include "sql/values.h"

namespace assay::sql {

const Json& option(const Json& definition, std::string_view name) {
  for (const Json& part : member(definition, "options"))
    if (text_of(as(part, "DefElem"), "defname") == name) return as(part, "DefElem");
  return nothing();
}

bool is_trigger_function(const Function& function) {
  const std::string type = last_name(member(member(function.definition, "returnType"), "names"));
  return type == "trigger" || type == "event_trigger";
}

namespace {

struct Argument {
  std::string name;
  NamedType type;
  bool in = true, out = false;
  Json fallback{};  // DEFAULT
};

std::vector<Argument> arguments_of(const Function& function, const Schema& schema) {
  std::vector<Argument> arguments;
  for (const Json& part : member(function.definition, "parameters")) {
    const Json& parameter = as(part, "FunctionParameter");
    const std::string mode = text_of(parameter, "mode");
    Argument argument{text_of(parameter, "name"),
                      resolve_type(type_of(member(parameter, "argType")), schema)};
    // PostgreSQL ignores lengths and scales of parameters.
    if (const auto size = argument.type.declared.find('('); size != std::string::npos)
      argument.type.declared.erase(size, argument.type.declared.find(')') - size + 1);
    if (argument.name.empty()) argument.name = fmt::format("${}", arguments.size() + 1);
    argument.out = mode == "FUNC_PARAM_OUT" || mode == "FUNC_PARAM_INOUT" || mode == "FUNC_PARAM_TABLE";
    argument.in = mode != "FUNC_PARAM_OUT" && mode != "FUNC_PARAM_TABLE";
    argument.fallback = member(parameter, "defexpr");
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

// The default of a parameter is calculated where the call stands, and may call functions that read tables.
ExpressionPtr default_value(const Argument& argument, Lowering& lower) {
  if (argument.fallback.is_null()) return unknown(argument.type.type);
  lower.reads_no_text();
  return lower.expression(argument.fallback);
}

// Clients may leave the argument out. That is another value of the parameter, unless its default does
// something.
void may_be_omitted(const Argument& argument, const Surroundings& around, Lowering& lower) {
  if (argument.fallback.is_null()) return;
  std::vector<Note> nowhere;
  Lowering trial(lower.schema(), around, nowhere, "default", lower.place());
  default_value(argument, trial);
  if (!trial.problem() && trial.builder().program().body.empty()) return;
  const VariableId omitted = lower.builder().local("omitted", Type::Boolean);
  lower.builder().append(Assign{omitted, unknown(Type::Boolean)});
  lower.builder().begin_if(lower.builder().value_of(omitted));
  const ExpressionPtr value =
      converted(default_value(argument, lower), argument.type, Conversion::Assignment);
  lower.builder().end();
  lower.assign(argument.name, make(Expression::Kind::Case,
                                   {lower.builder().value_of(omitted), value, lower.current(argument.name)}));
}

// The planner puts the only query of an SQL function in the place of its call, where it can.
Lowering::Called called(const Function& function) {
  const std::string volatility =
      text_of(as(member(option(function.definition, "volatility"), "arg"), "String"), "sval");
  Lowering::Called result{.is_volatile = volatility != "stable" && volatility != "immutable"};
  result.keeps_snapshot = !result.is_volatile;
  if (const Json& standard = member(function.definition, "sql_body"); !standard.is_null()) {
    const Json& list = member(as(standard, "List"), "items");
    const Json& statements = list.size() == 1 ? member(as(list[0], "List"), "items") : list;
    result.keeps_snapshot |= statements.size() < 2;
  } else if (function.language == "sql") {
    const auto parsed = parse_sql(function.body);
    result.keeps_snapshot |= parsed && parsed->size() < 2;
  }
  return result;
}

// A STRICT function does not run when an argument is NULL. Null: it always runs.
ExpressionPtr runs_if(const Function& function, const std::vector<ExpressionPtr>& arguments) {
  if (!flag_of(as(member(option(function.definition, "strict"), "arg"), "Boolean"), "boolval"))
    return nullptr;
  std::vector<ExpressionPtr> parts;
  for (const ExpressionPtr& argument : arguments)
    if (argument->kind != Expression::Kind::Constant || argument->null)
      parts.push_back(make(Expression::Kind::Not, {make(Expression::Kind::IsNull, {argument})}));
  return all_of(std::move(parts));
}

void lower_sql(const Function& function, Lowering& lower) {
  auto parsed = parse(function.body, function.body_place.file, function.body_place.line);
  if (!parsed) return lower.fail(parsed.error().what, parsed.error().remedy);
  lower.reads_text(function.body);
  for (const Json& statement : parsed->statements) {
    lower.at(parsed->place_of(statement));
    lower.runs_lazily = &statement == &parsed->statements.back();
    lower.statement(member(statement, "stmt"), {});
  }
}

// BEGIN ATOMIC ... END, or RETURN expression: trees that are there already, without places of their own.
void lower_standard(const Json& body, const Function& function, Lowering& lower) {
  lower.at(function.place);
  if (const Json& value = as(body, "ReturnStmt"); !value.is_null()) {
    const ExpressionPtr result = lower.expression(member(value, "returnval"));
    lower.builder().append(Emit{{result}});
    return;
  }
  if (const Json& list = as(body, "List"); !list.is_null()) {
    for (const Json& part : member(list, "items")) lower_standard(part, function, lower);
    return;
  }
  lower.runs_lazily = true;
  lower.statement(body, {});
}

void lower_statements(const Function& function, Lowering& lower) {
  BodyOfFunction body{function.text, function.body_place, {}, false, is_trigger_function(function)};
  const Json& type = member(function.definition, "returnType");
  body.returns_value =
      !type.is_null() && !flag_of(type, "setof") && last_name(member(type, "names")) != "void";
  if (!flag_of(member(function.definition, "returnType"), "setof"))
    for (const Argument& argument : arguments_of(function, lower.schema()))
      if (argument.out) body.out_parameters.push_back(argument.name);
  const Json& standard = member(function.definition, "sql_body");
  if (!standard.is_null()) {
    lower.reads_text(function.text);
    lower_standard(standard, function, lower);
  } else if (function.language == "plpgsql") {
    lower_plpgsql(body, lower);
  } else if (function.language == "sql") {
    lower_sql(function, lower);
  } else {
    lower.not_understood("a function in " + function.language);
  }
}

}  // namespace

Columns result_of(const Function& function, const Schema& schema, const Surroundings& around) {
  if (!function.unclear.empty()) return Columns::of_unknown_row(nullptr);
  Columns columns;
  const auto add = [&](const std::string& name, const NamedType& type) {
    const bool array = type.declared.ends_with("[]");
    columns.add({name, typed(varying(array ? Type::Other : type.type), type.declared)});
  };
  for (const Argument& argument : arguments_of(function, schema))
    if (argument.out) add(argument.name, argument.type);
  if (columns.size() > 1) return columns;
  NamedType type = resolve_type(type_of(member(function.definition, "returnType")), schema);
  if (!columns.empty()) type.declared = columns[0].value->declared;
  if (is_scalar_type(type.declared)) {
    if (columns.empty()) add("", type);
    return columns;
  }
  const auto table = schema.find(type.declared);
  if (!table || around.unclear.contains(type.declared) || !schema[*table].unclear.empty())
    return Columns::of_unknown_row(nullptr);
  columns = {};
  for (const Column& column : schema[*table].columns)
    add(column.name, {column.type, false, false, column.declared});
  return columns;
}

void declare_parameters(const Function& function, const Surroundings& around, Lowering& lower) {
  const std::vector<Argument> arguments = arguments_of(function, lower.schema());
  for (const Argument& argument : arguments)
    if (argument.in) lower.add_parameter(argument.name, argument.type);
  for (const Argument& argument : arguments) may_be_omitted(argument, around, lower);
  for (const Argument& argument : arguments)
    if (!argument.in) lower.declare(argument.name, argument.type, null_constant(argument.type.type));
}

void lower_body(const Function& function, Lowering& lower) {
  if (!function.unclear.empty()) return lower.not_understood(function.unclear);
  const bool lazily = std::exchange(lower.runs_lazily, false);
  lower.enter_call(called(function));
  lower_statements(function, lower);
  lower.leave_call();
  lower.runs_lazily = lazily;
}

ExpressionPtr call_of(const Function& function, const std::vector<Given>& given, Lowering& lower) {
  Lowering::Environment environment = std::exchange(lower.environment, {});
  std::vector<std::string> parameters = std::exchange(lower.parameters, {});
  const bool found = lower.tracks_found, count = lower.tracks_count;
  // CALL has arguments for OUT parameters too.
  const bool all = flag_of(function.definition, "is_procedure");
  std::vector<std::pair<Argument, ExpressionPtr>> bound;
  std::size_t next = 0;
  std::vector<ExpressionPtr> values;
  for (const Argument& argument : arguments_of(function, lower.schema())) {
    ExpressionPtr value = null_constant(argument.type.type);
    const bool given_here = (argument.in || all) && next < given.size() && given[next].name.empty();
    const auto named = std::ranges::find(given, argument.name, &Given::name);
    if (given_here) value = argument.in ? given[next].value : value, ++next;
    else if (argument.in && named != given.end()) value = named->value;
    else if (argument.in) value = default_value(argument, lower);
    bound.emplace_back(argument, std::move(value));
  }
  for (const auto& [argument, value] : bound) {
    if (argument.in) lower.parameters.push_back(argument.name);
    const ExpressionPtr assigned = converted(value, argument.type, Conversion::Assignment);
    lower.declare(argument.name, argument.type, assigned);
    if (argument.in) values.push_back(assigned);
  }
  const ExpressionPtr condition = runs_if(function, values);
  if (condition) lower.begin_if(condition);
  lower_body(function, lower);
  if (condition) lower.builder().end();
  lower.environment = std::move(environment);
  lower.parameters = std::move(parameters);
  lower.tracks_found = found, lower.tracks_count = count;
  const NamedType type = resolve_type(type_of(member(function.definition, "returnType")), lower.schema());
  return typed(unknown(type.type), type.is_set ? "" : type.declared);
}

}  // namespace assay::sql

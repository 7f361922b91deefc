// Rows as lists of columns, and the variables that they go to.
//
// `r.*` and `(f(x)).*` stand for as many columns as the row has. Where that is not known, the list is open
// from there on (columns.h). A variable of a row type takes columns by position, whatever they are called;
// one that is only a `record` takes over their names.
#include <fmt/format.h>

#include <algorithm>

#include "sql/lowering.h"
#include "sql/tree.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

bool is_star(const Json& node) {
  const Json& fields = member(as(node, "ColumnRef"), "fields");
  const Json& parts = fields.is_null() ? member(as(node, "A_Indirection"), "indirection") : fields;
  return !parts.is_null() && !parts.empty() && !as(parts.back(), "A_Star").is_null();
}

std::string column_name(const Json& target) {
  if (const std::string name = text_of(target, "name"); !name.empty()) return name;
  const Json& value = member(target, "val");
  if (const Json& column = as(value, "ColumnRef"); !column.is_null())
    return last_name(member(column, "fields"));
  if (const Json& call = as(value, "FuncCall"); !call.is_null()) return last_name(member(call, "funcname"));
  if (const Json& cast = as(value, "TypeCast"); !cast.is_null())
    if (const Json& column = as(member(cast, "arg"), "ColumnRef"); !column.is_null())
      return last_name(member(column, "fields"));
  return kind_of(value) == "CoalesceExpr" ? "coalesce" : "column";
}

}  // namespace

// What `names.*` stands for; without names, all columns of the query.
Columns Lowering::expanded(const std::vector<std::string>& names, Scope* scope) {
  Columns columns;
  if (names.empty()) {
    if (scope == nullptr) return Columns::of_unknown_row(nullptr);
    for (const Relation& relation : scope->relations) columns.append(relation.columns);
    if (scope->merged) columns.open_from(0);
    return columns;
  }
  bool outer = false;
  for (const Scope* level = scope; level != nullptr; level = level->outer, outer = true)
    for (const Relation& relation : level->relations) {
      if (relation.alias != names.back()) continue;
      if (!outer) return relation.columns;
      columns = relation.columns;
      for (NamedColumn& column : columns) {
        if (scope->outer_fields) scope->outer_fields->push_back(column.value);
        column.value = typed(varying(column.value->type), column.value->declared);
      }
      return columns;
    }
  const auto record = environment.find(names.back());
  if (record == environment.end()) {
    note(fmt::format("the columns of {}.* are not known: any row is assumed", names.back()));
    return Columns::of_unknown_row(nullptr);
  }
  if (!record->second.fields) {
    note(fmt::format("the columns of {}.* are not known: any row is assumed", names.back()));
    return Columns::of_unknown_row(record->second.value);
  }
  for (const std::string& field : *record->second.fields)
    columns.add({field, current(record->first + "." + field)});
  return columns;
}

Columns Lowering::expanded(const Json& star, Scope* scope) {
  if (const Json& column = as(star, "ColumnRef"); !column.is_null())
    return expanded(names_of(member(column, "fields")), scope);
  const Json& row = as(star, "A_Indirection");
  const Json& column = as(member(row, "arg"), "ColumnRef");
  if (!column.is_null() && member(row, "indirection").size() == 1)
    if (const auto names = names_of(member(column, "fields")); names.size() == 1)
      return expanded(names, scope);
  note("the columns of a row are not known: any row is assumed");
  return Columns::of_unknown_row(lower(member(row, "arg"), scope));
}

// The items of a VALUES list or of ROW(...).
Columns Lowering::lower_row(const Json& items, Scope* scope) {
  Columns columns;
  for (const Json& item : items) {
    if (is_star(item)) columns.append(expanded(item, scope));
    else if (kind_of(item) == "SetToDefault") columns.add({"", nullptr});
    else columns.add({"", lower(item, scope)});
  }
  return columns;
}

// One item: null where DEFAULT stands.
ExpressionPtr Lowering::part_of_row(const Json& items, std::size_t index, Scope* scope) {
  if (std::ranges::any_of(items, is_star)) return lower_row(items, scope).at(index);
  if (index >= items.size() || kind_of(items[index]) == "SetToDefault") return nullptr;
  return lower(items[index], scope);
}

Columns Lowering::result_columns(const Json& list, Scope& scope) {
  Columns columns;
  for (const Json& part : list) {
    const Json& target = as(part, "ResTarget");
    if (is_star(member(target, "val"))) columns.append(expanded(member(target, "val"), &scope));
    else columns.add({column_name(target), lower(member(target, "val"), &scope)});
  }
  return columns;
}

// The variables of a record. Those that it had from another row are gone.
std::vector<NamedColumn> Lowering::record_targets(const Columns& columns, const std::string& name) {
  if (!environment.contains(name)) declare(name, Type::Other, false, null_constant());
  Binding& record = environment.at(name);
  record.record = true;
  std::vector<NamedColumn> result;
  if (record.row_type) {
    if (!record.fields) return {};
    const bool whole =
        columns.size() == 1 && record.fields->size() > 1 && columns[0].value && may_be_row(*columns[0].value);
    for (std::size_t i = 0; i < record.fields->size(); ++i)
      result.push_back({name + "." + (*record.fields)[i],
                        whole ? varying(Type::Other, {columns[0].value}) : columns.at(i)});
    return result;
  }
  drop_fields(name);
  std::vector<std::string> fields;
  for (const NamedColumn& column : columns) {
    if (column.name.empty()) continue;
    fields.push_back(column.name);
    result.push_back({name + "." + column.name, column.value});
    if (!environment.contains(result.back().name))
      declare(result.back().name, column.value->type, false, null_constant());
  }
  Binding& bound = environment.at(name);
  if (columns.is_open()) bound.fields.reset();
  else bound.fields = std::move(fields);
  return result;
}

std::vector<NamedColumn> Lowering::targets(const Columns& columns, const Into& into) {
  std::vector<NamedColumn> result;
  if (into.record == "\\gset") {
    // Variables of the columns themselves: of columns that are not known, any variable.
    if (columns.is_open()) forget(parameters);
    for (const NamedColumn& column : columns) {
      if (column.name.empty()) continue;
      result.push_back(column);
      if (!environment.contains(column.name))
        declare(column.name, column.value->type, false, null_constant());
    }
    return result;
  }
  if (!into.record.empty()) return record_targets(columns, into.record);
  for (std::size_t i = 0; i < into.variables.size(); ++i)
    result.push_back({into.variables[i], columns.at(i)});
  return result;
}

// The record as one value depends on its columns.
void Lowering::settle(const Into& into) {
  if (into.record.empty() || into.record == "\\gset") return;
  std::vector<ExpressionPtr> parts;
  const Binding& record = environment.at(into.record);
  if (record.fields)
    for (const std::string& field : *record.fields) parts.push_back(current(into.record + "." + field));
  environment.at(into.record).value = unknown(Type::Other, std::move(parts));
}

void Lowering::deliver_rows(const Columns& columns, const Into& into, std::vector<Output>& outputs) {
  for (const NamedColumn& column : columns)  // for what they read
    if (into.record.empty() && into.variables.empty()) outputs.push_back({.value = column.value});
  const auto taken = targets(columns, into);
  for (const NamedColumn& target : taken) {
    if (!target.value) {
      bind(target.name, null_constant());
      continue;
    }
    const auto bound = environment.find(target.name);
    const bool told = bound != environment.end() && bound->second.type != Type::Other;
    const Type type = told ? bound->second.type : target.value->type;
    const std::string declared = told ? bound->second.declared : target.value->declared;
    Output output{.value = converted(target.value, {type, false, false, declared}, Conversion::Assignment)};
    output.into = build_.local(target.name, type);
    build_.program().variables.back().declared = declared;
    bind(target.name, build_.value_of(output.into));
    outputs.push_back(std::move(output));
  }
  if (into.record.empty() && into.variables.empty()) return;
  for (const NamedColumn& column : columns)
    if (std::ranges::none_of(taken, [&](const NamedColumn& t) { return t.value == column.value; }))
      outputs.push_back({.value = column.value});
  settle(into);
}

// An aggregate alone goes straight into the variable.
void Lowering::store(const std::string& name, const ExpressionPtr& value) {
  Program& program = build_.program();
  const auto bound = environment.find(name);
  const bool same_type = bound == environment.end() || bound->second.type == Type::Other ||
                         (bound->second.type == value->type && bound->second.declared == value->declared) ||
                         (bound->second.type == Type::Integer && value->type == Type::Integer);
  const bool alone = value->kind == Kind::Variable && same_type && unnamed_.erase(value->variable) > 0;
  if (!alone) return assign(name, value);
  program.variables[value->variable.index()].name = name;
  bind(name, value);
}

void Lowering::deliver(Query result, const Into& into) {
  Select& select = result.select;
  const bool on_rows = select.rows != Select::Rows::Aggregate && !select.sources.empty();
  if (into.strict && select.rows == Select::Rows::First) select.rows = Select::Rows::Strict;
  if (on_rows) deliver_rows(result.columns, into, select.outputs);
  // Without a table there is one row, unless a condition or something else decides.
  const bool open = !on_rows && select.rows != Select::Rows::Aggregate && (result.many || select.where);
  if (!select.sources.empty()) {
    if (!result.found && on_rows) track(select.effect);
    append(std::move(select));
  }
  if (tracks_found && !on_rows)
    bind("found", open ? carried("FOUND", Type::Boolean) : result.found ? result.found : truth(true));
  if (on_rows) return;
  if (open)
    for (auto& column : result.columns)
      if (column.value->kind != Kind::Unknown)
        column.value = typed(unknown(column.value->type, {column.value}), column.value->declared);
  const auto taken = targets(result.columns, into);
  for (const NamedColumn& target : taken) {
    if (target.value) store(target.name, target.value);
    else bind(target.name, null_constant());
  }
  settle(into);
  if (into.strict && result.found) {
    build_.begin_if(make(Kind::Not, {result.found}));
    append(Abort{"query returned no rows"});
    build_.end();
  }
  if (!taken.empty() || result.columns.empty()) return;
  std::vector<ExpressionPtr> values;
  for (const NamedColumn& column : result.columns) values.push_back(column.value);
  append(Emit{std::move(values)});
}

Select Lowering::loop_query(const Json& node, const Into& into) {
  if (kind_of(node) != "SelectStmt" || has_gaps(node)) {
    // FOR r IN UPDATE ... RETURNING: the statement runs once, each round has any of its rows.
    statement(node, {});
    forget(into);
    return {};
  }
  Query result = query(node, nullptr, nullptr, false);
  const bool one_round = result.select.rows == Select::Rows::Aggregate;
  if (!one_round && !result.select.sources.empty()) {
    build_.enter_loop();
    deliver_rows(result.columns, into, result.select.outputs);
    return std::move(result.select);
  }
  // One round, with values that an ordinary statement has put into variables; or any number, with any values.
  if (one_round) append(std::move(result.select));
  for (const NamedColumn& target : targets(result.columns, into)) {
    if (!target.value) bind(target.name, null_constant());
    else if (one_round) bind(target.name, target.value);
    else bind(target.name, typed(unknown(target.value->type), target.value->declared));
  }
  settle(into);
  return {};
}

}  // namespace assay::sql

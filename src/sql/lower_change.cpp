// INSERT, UPDATE and DELETE. With a join they become a loop over a query that names the rows by their keys.
#include <fmt/format.h>

#include <algorithm>

#include "sql/lowering.h"
#include "sql/tree.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

std::string alias_of(const Json& range_var) {
  const std::string alias = text_of(member(range_var, "alias"), "aliasname");
  return alias.empty() ? text_of(range_var, "relname") : alias;
}

ExpressionPtr both(const ExpressionPtr& a, const ExpressionPtr& b) {
  if (!a || !b) return a ? a : b;
  return make(Kind::And, {a, b});
}

}  // namespace

// Values are what the columns hold. A text that is too long by blanks is cut.
ExpressionPtr Lowering::as_column(const ExpressionPtr& value, const Column& column) {
  if (value->kind == Kind::Fresh) return value;
  const ExpressionPtr held =
      converted(value, {column.type, false, false, column.declared}, Conversion::Assignment);
  const ExpressionPtr fits = fits_into(value, column.declared);
  return fits ? typed(make(Kind::Case, {fits, value, held}), column.declared) : held;
}

// Whether a text variable is short enough for the column: null where that makes no difference. It is decided
// once for each variable and length, so that what equals a value of such a column is known to be what it will
// hold.
ExpressionPtr Lowering::fits_into(const ExpressionPtr& value, const std::string& declared) {
  if (value->kind != Kind::Variable || !cuts_blanks(*value, declared)) return nullptr;
  ExpressionPtr& fits = fits_[{value->variable, declared}];
  if (!fits) fits = unknown(Type::Boolean, {value});
  return fits;
}

// Triggers for statements on the whole do not fire when a partition is named.
std::optional<TableId> Lowering::changed_table(const Json& range_var) {
  const auto table = table_of(range_var);
  const auto triggers = table ? around_.triggers.find(*table) : around_.triggers.end();
  if (triggers != around_.triggers.end() && schema_.partitions.contains(text_of(range_var, "relname")) &&
      !std::ranges::all_of(triggers->second, &Trigger::row)) {
    not_understood("a change of a partition whose whole has triggers for statements");
    return std::nullopt;
  }
  return table;
}

// Some of the rows, and nobody knows which.
ExpressionPtr Lowering::any_row(TableId table) const {
  return varying(Type::Boolean, {field(ColumnId(0), schema_[table].columns[0].type)});
}

// What RETURNING of a loop brings: of any round.
void Lowering::forget_rows(const Into& into) {
  std::vector<std::string> names = into.variables;
  if (!into.record.empty()) {
    names.push_back(into.record);
    if (!environment.contains(into.record)) declare(into.record, Type::Other, false, unknown(Type::Other));
    forget_shape(into.record);
  }
  for (auto& [name, binding] : environment)
    if (std::ranges::count(names, name) || std::ranges::count(names, name.substr(0, name.find('.'))))
      binding.value = typed(carried(name, binding.type), binding.declared);
}

// Row level security and partitions: which rows are there for the statement is open.
ExpressionPtr Lowering::hidden(const Json& range_var, TableId table, SourceId source) const {
  if (!schema_[table].filtered && !schema_.partitions.contains(text_of(range_var, "relname"))) return nullptr;
  std::vector<ExpressionPtr> all;
  for (std::size_t c = 0; c < schema_[table].columns.size(); ++c)
    all.push_back(field(ColumnId(c), schema_[table].columns[c].type, source));
  return varying(Type::Boolean, std::move(all));
}

std::vector<Output> Lowering::returning(const Json& node, Scope& scope, const Into& into) {
  std::vector<Output> outputs;
  const Json& list = member(node, "returningList");
  if (!list.is_null()) deliver_rows(result_columns(list, scope), into, outputs);
  return outputs;
}

std::vector<Insert::Set> Lowering::assignments(const Json& list, TableId table, Scope& scope) {
  std::vector<Insert::Set> sets;
  for (const Json& part : list) {
    const Json& target = as(part, "ResTarget");
    const auto column = schema_[table].find(text_of(target, "name"));
    if (!column) {
      fail(fmt::format("table {} has no column {}", schema_[table].name, text_of(target, "name")));
      continue;
    }
    const Column& definition = schema_[table][*column];
    const Json& value = member(target, "val");
    const Json& several = as(value, "MultiAssignRef");
    const Json& row = member(as(member(several, "source"), "RowExpr"), "args");
    const auto index = static_cast<std::size_t>(number_of(several, "colno")) - 1;
    ExpressionPtr result;
    if (kind_of(value) == "SetToDefault") result = default_of(table, *column);
    else if (several.is_null()) result = lower(value, &scope);
    else if (!row.is_null()) result = part_of_row(row, index, &scope);
    else result = unknown(definition.type, {lower(member(several, "source"), &scope)});
    if (!result) result = default_of(table, *column);
    if (!member(target, "indirection").is_null())
      result = unknown(definition.type, {result, field(*column, definition.type)});
    sets.push_back({*column, as_column(result, definition)});
  }
  return sets;
}

void Lowering::insert(const Json& node, const Into& into) {
  const auto table = changed_table(member(node, "relation"));
  if (!table) return forget(into);
  // ON CONFLICT DO UPDATE fires the triggers of both events, whatever becomes of the rows.
  const Json& conflict = member(node, "onConflictClause");
  const bool updates = text_of(conflict, "action") == "ONCONFLICT_UPDATE";
  std::vector<Insert::Set> sets;
  for (const Json& part : member(conflict, "targetList"))
    if (const auto column = schema_[*table].find(text_of(as(part, "ResTarget"), "name")))
      sets.push_back({*column, nullptr});
  fire_statement(*table, Event::Insert, true, {});
  if (updates) fire_statement(*table, Event::Update, true, sets);
  insert_rows(node, *table, into);
  if (updates) fire_statement(*table, Event::Update, false, sets);
  fire_statement(*table, Event::Insert, false, {});
}

void Lowering::insert_rows(const Json& node, TableId target, const Into& into) {
  const std::optional<TableId> table = target;
  const Table& definition = schema_[*table];
  std::vector<ColumnId> columns;
  for (const Json& part : member(node, "cols")) {
    const std::string name = text_of(as(part, "ResTarget"), "name");
    const auto column = definition.find(name);
    if (!column) return fail(fmt::format("table {} has no column {}", definition.name, name));
    columns.push_back(*column);
  }
  if (columns.empty())
    for (std::size_t i = 0; i < definition.columns.size(); ++i) columns.push_back(ColumnId(i));
  // A column that is given nothing takes its default. Where it is not known whether it is given something,
  // the default may be calculated too, and any value results.
  const auto row_of = [&](const std::vector<ExpressionPtr>& given, bool open) {
    std::vector<ExpressionPtr> values;
    for (std::size_t c = 0; c < definition.columns.size(); ++c) {
      const ColumnId column(c);
      const auto place = std::ranges::find(columns, column);
      const auto index = static_cast<std::size_t>(place - columns.begin());
      const ExpressionPtr value = place != columns.end() && index < given.size() ? given[index] : nullptr;
      if (open && value) ++maybe_, default_of(*table, column), --maybe_;
      values.push_back(value ? as_column(value, definition[column]) : default_of(*table, column));
    }
    return values;
  };

  const Json& source = member(node, "selectStmt");
  const Json& lists = member(as(source, "SelectStmt"), "valuesLists");
  if (source.is_null()) return insert_row(node, *table, row_of({}, false), into);
  if (!lists.is_null()) {
    const bool several = lists.size() > 1;
    const bool found = tracks_found, count = tracks_count;
    if (several) tracks_found = tracks_count = false;
    for (const Json& list : lists) {
      const Columns row = lower_row(member(as(list, "List"), "items"), nullptr);
      if (row.width(columns.size()) > columns.size()) return fail("INSERT has more values than columns");
      std::vector<ExpressionPtr> given;
      for (std::size_t i = 0; i < row.width(columns.size()); ++i) given.push_back(row.at(i));
      insert_row(node, *table, row_of(given, row.is_open()), several ? Into{} : into);
    }
    // Each row may be passed over, by ON CONFLICT or by a trigger.
    tracks_found = found, tracks_count = count;
    if (several) forget(into);
    return;
  }
  Query rows = query(source, nullptr, nullptr, false);
  const std::size_t width = rows.columns.width(columns.size());
  if (width > columns.size()) return fail("INSERT has more values than columns");
  std::vector<ExpressionPtr> given;
  const bool over_rows = rows.select.rows != Select::Rows::Aggregate && !rows.select.sources.empty();
  const bool loop = over_rows || rows.many;
  const ExpressionPtr condition = rows.select.sources.empty() ? rows.select.where : rows.found;
  if (loop) build_.enter_loop();
  for (std::size_t i = 0; i < width; ++i) {
    given.push_back(rows.columns.at(i));
    if (!loop || !given.back()) continue;
    const ExpressionPtr source = given.back();
    const VariableId value =
        temporary(i < rows.columns.size() ? rows.columns[i].name : definition[columns[i]].name, source->type);
    build_.program().variables.back().declared = source->declared;
    if (over_rows) rows.select.outputs.push_back({.value = source, .into = value});
    given.back() = build_.value_of(value);
  }
  if (over_rows) build_.begin_loop({.over = Loop::Over::Query, .query = std::move(rows.select), .body = {}});
  else if (loop) build_.begin_loop({.over = Loop::Over::While, .body = {}});
  else if (!rows.select.sources.empty()) append(std::move(rows.select));
  if (condition && !loop) build_.begin_if(condition);
  insert_row(node, *table, row_of(given, rows.columns.is_open()), loop || condition ? Into{} : into);
  if (condition && !loop) build_.end();
  if (!loop && !condition) return;
  if (loop) build_.end();
  if (tracks_count) bind("row_count", carried("ROW_COUNT", Type::Integer));
  if (tracks_found) bind("found", carried("FOUND", Type::Boolean));
  forget_rows(into);
}

void Lowering::insert_row(const Json& node, TableId table, std::vector<ExpressionPtr> values,
                          const Into& into) {
  Insert statement{.table = table, .values = std::move(values)};
  Scope scope{{relation_of(table, SourceId(0), alias_of(member(node, "relation")))}};
  if (const Json& conflict = member(node, "onConflictClause"); !conflict.is_null()) {
    const Json& infer = member(conflict, "infer");
    bool is_key = member(infer, "whereClause").is_null();
    for (const Json& part : member(infer, "indexElems")) {
      const auto column = schema_[table].find(text_of(as(part, "IndexElem"), "name"));
      if (column) statement.conflict_columns.push_back(*column);
      is_key &= column.has_value();
    }
    // An index over expressions or some of the rows: the conflict may be with any row.
    if (!is_key) statement.conflict_columns.clear();
    statement.conflict = Insert::Conflict::Nothing;
    if (text_of(conflict, "action") == "ONCONFLICT_UPDATE") {
      statement.conflict = Insert::Conflict::Update;
      Scope both = scope;
      Relation excluded{"excluded", {}};
      for (std::size_t i = 0; i < statement.values.size(); ++i)
        excluded.columns.add({schema_[table].columns[i].name, statement.values[i]});
      both.relations.push_back(std::move(excluded));
      statement.sets = assignments(member(conflict, "targetList"), table, both);
      if (const Json& where = member(conflict, "whereClause"); !where.is_null())
        statement.conflict_where = lower(where, &both);
    }
  }
  statement.returning = returning(node, scope, into);
  track(statement.effect);
  append_insert(std::move(statement));
}

// `key = variable` for each column of the primary key; the query gives the variables.
ExpressionPtr Lowering::key_condition(TableId table, Select& select, Scope& scope) {
  std::vector<ExpressionPtr> parts;
  for (const ColumnId column : schema_[table].primary_key) {
    const Column& definition = schema_[table][column];
    const VariableId value = temporary(definition.name, definition.type);
    build_.program().variables.back().declared = definition.declared;
    select.outputs.push_back({.value = scope.relations[0].columns[column.index()].value, .into = value});
    parts.push_back(make(
        Kind::Equal, {typed(field(column, definition.type), definition.declared), build_.value_of(value)}));
  }
  return all_of(std::move(parts));
}

void Lowering::update(const Json& node, const Into& into) {
  const auto table = changed_table(member(node, "relation"));
  if (!table) return forget(into);
  if (!member(node, "fromClause").is_null()) return update_joined(node, *table, into);
  Scope scope{{relation_of(*table, SourceId(0), alias_of(member(node, "relation")))}};
  Update statement{.table = *table, .sets = assignments(member(node, "targetList"), *table, scope)};
  if (const Json& where = member(node, "whereClause"); !where.is_null())
    statement.where = lower(where, &scope);
  statement.where = both(statement.where, hidden(member(node, "relation"), *table, SourceId(0)));
  statement.returning = returning(node, scope, into);
  track(statement.effect);
  const std::vector<Insert::Set> sets = statement.sets;
  fire_statement(*table, Event::Update, true, sets);
  append_update(std::move(statement));
  fire_statement(*table, Event::Update, false, sets);
}

void Lowering::update_joined(const Json& node, TableId table, const Into& into) {
  Scope scope{{relation_of(table, SourceId(0), alias_of(member(node, "relation")))}};
  Select select{.sources = {table}, .rows = Select::Rows::All};
  std::vector<ExpressionPtr> conditions;
  for (const Json& item : member(node, "fromClause")) from_item(item, scope, select, conditions);
  if (const ExpressionPtr some = hidden(member(node, "relation"), table, SourceId(0)))
    conditions.push_back(some);
  select.partial |= scope.many, select.repeats |= scope.many || scope.repeats;
  if (const Json& where = member(node, "whereClause"); !where.is_null())
    conditions.push_back(lower(where, &scope));
  select.where = all_of(std::move(conditions));
  auto sets = assignments(member(node, "targetList"), table, scope);
  const std::vector<Insert::Set> changed = sets;
  fire_statement(table, Event::Update, true, changed);
  build_.enter_loop();
  for (Insert::Set& set : sets) {
    const VariableId value = temporary(schema_[table][set.column].name, set.value->type);
    select.outputs.push_back({.value = set.value, .into = value});
    set.value = build_.value_of(value);
  }
  if (schema_[table].primary_key.empty())
    note("UPDATE ... FROM of a table without a primary key: any row is assumed");
  const ExpressionPtr key = key_condition(table, select, scope);
  build_.begin_loop({.over = Loop::Over::Query, .query = std::move(select), .body = {}});
  append_update(Update{.table = table, .sets = std::move(sets), .where = key ? key : any_row(table)});
  build_.end();
  fire_statement(table, Event::Update, false, changed);
  if (tracks_found) bind("found", carried("FOUND", Type::Boolean));
  if (tracks_count) bind("row_count", carried("ROW_COUNT", Type::Integer));
  forget_rows(into);
}

void Lowering::erase(const Json& node, const Into& into) {
  const auto table = changed_table(member(node, "relation"));
  if (!table) return forget(into);
  if (!member(node, "usingClause").is_null()) return erase_joined(node, *table, into);
  Scope scope{{relation_of(*table, SourceId(0), alias_of(member(node, "relation")))}};
  Delete statement{.table = *table};
  if (const Json& where = member(node, "whereClause"); !where.is_null())
    statement.where = lower(where, &scope);
  statement.where = both(statement.where, hidden(member(node, "relation"), *table, SourceId(0)));
  statement.returning = returning(node, scope, into);
  track(statement.effect);
  fire_statement(*table, Event::Delete, true, {});
  append_delete(std::move(statement));
  fire_statement(*table, Event::Delete, false, {});
}

void Lowering::erase_joined(const Json& node, TableId table, const Into& into) {
  Scope scope{{relation_of(table, SourceId(0), alias_of(member(node, "relation")))}};
  Select select{.sources = {table}, .rows = Select::Rows::All};
  std::vector<ExpressionPtr> conditions;
  for (const Json& item : member(node, "usingClause")) from_item(item, scope, select, conditions);
  if (const ExpressionPtr some = hidden(member(node, "relation"), table, SourceId(0)))
    conditions.push_back(some);
  select.partial |= scope.many, select.repeats |= scope.many || scope.repeats;
  if (const Json& where = member(node, "whereClause"); !where.is_null())
    conditions.push_back(lower(where, &scope));
  select.where = all_of(std::move(conditions));
  fire_statement(table, Event::Delete, true, {});
  build_.enter_loop();
  if (schema_[table].primary_key.empty())
    note("DELETE ... USING of a table without a primary key: any row is assumed");
  const ExpressionPtr key = key_condition(table, select, scope);
  build_.begin_loop({.over = Loop::Over::Query, .query = std::move(select), .body = {}});
  append_delete(Delete{.table = table, .where = key ? key : any_row(table)});
  build_.end();
  fire_statement(table, Event::Delete, false, {});
  if (tracks_found) bind("found", carried("FOUND", Type::Boolean));
  if (tracks_count) bind("row_count", carried("ROW_COUNT", Type::Integer));
  forget_rows(into);
}

}  // namespace assay::sql

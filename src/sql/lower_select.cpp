// SELECT: target list, aggregates, ORDER BY with LIMIT, set operations, WITH, and where results go.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sql/functions.h"
#include "sql/lowering.h"
#include "sql/tree.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

// Does this target calculate an aggregate of the query itself (not of one inside)?
bool has_aggregate(const Json& node) {
  if (!node.is_structured()) return false;
  if (node.is_object()) {
    if (node.contains("SubLink")) return false;
    if (const Json& call = as(node, "FuncCall"); !call.is_null() && member(call, "over").is_null() &&
                                                 is_aggregate(name_of_function(member(call, "funcname"))))
      return true;
  }
  return std::ranges::any_of(node, [](const Json& kid) { return has_aggregate(kid); });
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

bool same_field(const ExpressionPtr& a, const ExpressionPtr& b) {
  return a->kind == Kind::Field && b->kind == Kind::Field && a->source == b->source && a->column == b->column;
}

void conjuncts_of(const ExpressionPtr& condition, std::vector<ExpressionPtr>& parts) {
  if (!condition) return;
  if (condition->kind != Kind::And) return parts.push_back(condition);
  for (const ExpressionPtr& kid : condition->kids) conjuncts_of(kid, parts);
}

// `field = something that is no field`: the same in every row of the result.
bool is_fixed(const ExpressionPtr& field, const ExpressionPtr& where) {
  std::vector<ExpressionPtr> parts;
  conjuncts_of(where, parts);
  return std::ranges::any_of(parts, [&](const ExpressionPtr& part) {
    if (part->kind != Kind::Equal) return false;
    const auto& [a, b] = std::pair(part->kids[0], part->kids[1]);
    return (same_field(a, field) && !contains(b, Kind::Field)) ||
           (same_field(b, field) && !contains(a, Kind::Field));
  });
}

bool is_one(const Json& limit) { return number_of(member(as(limit, "A_Const"), "ival"), "ival") == 1; }

}  // namespace

Lowering::Query Lowering::query(const Json& node, Scope* outer, std::vector<ExpressionPtr>* outer_fields,
                                bool single) {
  const Json& select = as(node, "SelectStmt");
  Scope scope{{}, outer, outer_fields};
  const auto saved_with = with_;
  if (!member(select, "withClause").is_null()) with_clause(member(select, "withClause"));
  Query result;
  const std::string operation = text_of(select, "op");
  if (!operation.empty() && operation != "SETOP_NONE") result = set_operation(select, outer, outer_fields);
  else if (!member(select, "valuesLists").is_null())
    result = values_list(member(select, "valuesLists"), scope);
  else result = plain_query(select, scope, single);
  result.select.partial |= result.many;
  result.select.repeats |= result.many || result.repeats;
  with_ = saved_with;
  return result;
}

Lowering::Query Lowering::plain_query(const Json& select, Scope& scope, bool single) {
  Query result;
  // Without any of these there is one row, and each target is evaluated for it.
  const bool unsure = std::ranges::any_of(
      std::array{"fromClause", "whereClause", "groupClause", "havingClause", "limitCount", "limitOffset"},
      [&](const char* part) { return !member(select, part).is_null(); });
  unsure_ += unsure ? 1 : 0;
  std::vector<ExpressionPtr> conditions;
  for (const Json& item : member(select, "fromClause")) from_item(item, scope, result.select, conditions);
  result.many = scope.many;
  result.repeats = scope.repeats;
  const bool grouped = !member(select, "groupClause").is_null();
  const bool aggregate = has_aggregate(member(select, "targetList"));
  result.select.rows = grouped     ? Select::Rows::All
                       : aggregate ? Select::Rows::Aggregate
                       : single    ? Select::Rows::First
                                   : Select::Rows::All;
  if (const Json& where = member(select, "whereClause"); !where.is_null()) {
    Select* const around = std::exchange(aggregating_, nullptr);
    conditions.push_back(lower(where, &scope));
    aggregating_ = around;
  }
  result.select.where = all_of(std::move(conditions));
  Select* const around = std::exchange(aggregating_, &result.select);
  result.columns = result_columns(member(select, "targetList"), scope);
  if (const Json& having = member(select, "havingClause"); !having.is_null()) {
    note("HAVING: any of the groups is assumed to remain");
    const ExpressionPtr condition = lower(having, &scope);
    if (result.select.rows != Select::Rows::Aggregate) result.select.outputs.push_back({.value = condition});
  }
  aggregating_ = around;
  for (const Json& key : member(select, "groupClause")) {
    const ExpressionPtr value = lower(key, &scope);
    if (contains(value, Kind::Field)) result.select.outputs.push_back({.value = value});
  }
  for (const Json& key : member(select, "distinctClause"))  // of DISTINCT ON
    if (!key.empty()) result.select.outputs.push_back({.value = lower(key, &scope)});
  result.derived = grouped || aggregate || !member(select, "distinctClause").is_null();
  pass_over_null(result.select);
  order_and_limit(select, scope, result, single && !grouped);
  locking(select, result);
  if (single && result.select.rows == Select::Rows::All) result.select.rows = Select::Rows::First;
  unsure_ -= unsure ? 1 : 0;
  return result;
}

// MIN and MAX are about the rows that have a value: where none has, the result is NULL as if there were none.
void Lowering::pass_over_null(Select& select) const {
  if (select.rows != Select::Rows::Aggregate || select.sources.size() != 1) return;
  if (std::ranges::count_if(select.outputs,
                            [](const Output& o) { return o.aggregate != Output::Aggregate::None; }) != 1)
    return;
  for (const Output& output : select.outputs) {
    if (output.aggregate != Output::Aggregate::Min && output.aggregate != Output::Aggregate::Max) continue;
    bool nullable = false;
    walk(output.value, [&](const Expression& e) {
      nullable |= e.kind == Kind::Field && schema_[select.sources[0]][e.column].nullable;
    });
    if (!nullable) continue;
    std::vector<ExpressionPtr> parts;
    conjuncts_of(select.where, parts);
    parts.push_back(make(Kind::Not, {make(Kind::IsNull, {output.value})}));
    select.where = all_of(std::move(parts));
  }
}

void Lowering::locking(const Json& select, Query& result) {
  for (const Json& clause : member(select, "lockingClause")) {
    const std::string strength = text_of(as(clause, "LockingClause"), "strength");
    if (strength == "LCS_FORKEYSHARE") {
      note("FOR KEY SHARE: the order that such locks force is not used");
    } else {
      const bool others_hold_less = !result.select.for_update || result.select.shares_lock;
      result.select.shares_lock = strength == "LCS_FORSHARE" && others_hold_less;
      result.select.for_update = true;
      result.select.stops_early = runs_lazily;
      result.select.given_back = !surely_runs_;
    }
    if (text_of(as(clause, "LockingClause"), "waitPolicy") == "LockWaitSkip") {
      note("SKIP LOCKED: any of the matching rows may be left out");
      result.select.partial = true;
    }
  }
}

std::vector<Relation::Named> Lowering::result_columns(const Json& list, Scope& scope) {
  std::vector<Relation::Named> columns;
  for (const Json& part : list) {
    const Json& target = as(part, "ResTarget");
    const Json& fields = member(as(member(target, "val"), "ColumnRef"), "fields");
    if (!fields.is_null() && !fields.empty() && !as(fields.back(), "A_Star").is_null()) {
      const auto names = names_of(fields);
      for (const Relation& relation : scope.relations)
        if (names.empty() || relation.alias == names.back())
          columns.insert(columns.end(), relation.columns.begin(), relation.columns.end());
      continue;
    }
    columns.push_back({column_name(target), lower(member(target, "val"), &scope)});
  }
  return columns;
}

void Lowering::order_and_limit(const Json& select, Scope& scope, Query& result, bool single) {
  const Json& sort = member(select, "sortClause");
  const Json& limit = member(select, "limitCount");
  const bool offset = !member(select, "limitOffset").is_null();
  for (const char* count : {"limitCount", "limitOffset"})  // for the queries that may be in there
    if (const Json& value = member(select, count); !value.is_null()) lower(value, nullptr);
  if (result.select.rows == Select::Rows::Aggregate) return;
  std::vector<ExpressionPtr> keys;
  for (const Json& part : sort) {
    const Json& node = member(as(part, "SortBy"), "node");
    const Json& position = member(as(node, "A_Const"), "ival");
    const auto names = names_of(member(as(node, "ColumnRef"), "fields"));
    const auto named =
        std::ranges::find(result.columns, names.size() == 1 ? names[0] : "", &Relation::Named::name);
    const auto index = static_cast<std::size_t>(number_of(position, "ival"));
    if (index >= 1 && index <= result.columns.size()) keys.push_back(result.columns[index - 1].value);
    else if (named != result.columns.end()) keys.push_back(named->value);
    else keys.push_back(lower(node, &scope));
  }
  const bool first_only = single || is_one(limit);
  if (single && !offset && (limit.is_null() || is_one(limit)) && to_extreme(sort, keys, result)) return;
  for (const ExpressionPtr& key : keys)
    if (contains(key, Kind::Field)) result.select.outputs.push_back({.value = key});
  if (limit.is_null() && !offset) return;
  result.select.partial = result.derived = true;
  if (!first_only || offset || !sort.is_null()) note("LIMIT or OFFSET: any of the matching rows are assumed");
}

// ORDER BY key LIMIT 1 is the row with the least or greatest key: its key, then the rest of the row.
bool Lowering::to_extreme(const Json& sort, std::vector<ExpressionPtr> keys, Query& result) {
  if (result.derived || result.select.sources.size() != 1) return false;
  const ExpressionPtr where = result.select.where;
  std::size_t kept = 0, only = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i]->kind != Kind::Field || !is_fixed(keys[i], where)) ++kept, only = i;
  if (kept != 1 || keys[only]->kind != Kind::Field) return false;
  const ExpressionPtr key = keys[only];
  const Json& order = as(sort[only], "SortBy");
  const bool descending = text_of(order, "sortby_dir") == "SORTBY_DESC";
  const Column& column = schema_[result.select.sources[0]][key->column];
  if (column.nullable) return false;  // a row without a key may be the first, or the only one

  const VariableId extreme = temporary((descending ? "max_" : "min_") + column.name, key->type);
  const auto aggregate = descending ? Output::Aggregate::Max : Output::Aggregate::Min;
  Select first{.sources = result.select.sources,
               .where = where,
               .outputs = {{.aggregate = aggregate, .value = key, .into = extreme}},
               .rows = Select::Rows::Aggregate};
  const bool key_only =
      std::ranges::all_of(result.columns, [&](const auto& named) { return same_field(named.value, key); });
  const ExpressionPtr value = build_.value_of(extreme);
  if (key_only) {
    for (auto& named : result.columns) named.value = value;
    result.select = std::move(first);
    result.found = make(Kind::Not, {make(Kind::IsNull, {value})});
  } else {
    append(std::move(first));
    std::vector<ExpressionPtr> parts;
    conjuncts_of(where, parts);
    parts.push_back(make(Kind::Equal, {key, value}));
    result.select.where = all_of(std::move(parts));
  }
  return true;
}

Lowering::Query Lowering::set_operation(const Json& select, Scope* outer,
                                        std::vector<ExpressionPtr>* outer_fields) {
  note("UNION, INTERSECT or EXCEPT: both sides are read, any result is assumed");
  ++unsure_;
  Query left = query(Json{{"SelectStmt", member(select, "larg")}}, outer, outer_fields, false);
  Query result;
  result.derived = result.many = true;
  for (const char* count : {"limitCount", "limitOffset"})
    if (const Json& value = member(select, count); !value.is_null()) lower(value, nullptr);
  for (const auto& column : left.columns)
    result.columns.push_back({column.name, typed(varying(column.value->type), column.value->declared)});
  run(std::move(left));
  run(query(Json{{"SelectStmt", member(select, "rarg")}}, outer, outer_fields, false));
  --unsure_;
  return result;
}

Lowering::Query Lowering::values_list(const Json& lists, Scope& scope) {
  Query result;
  result.derived = true;
  result.many = lists.size() > 1;
  for (const Json& list : lists) {
    std::size_t i = 0;
    for (const ExpressionPtr& value : lower_each(member(as(list, "List"), "items"), &scope)) {
      if (result.columns.size() <= i) result.columns.push_back({fmt::format("column{}", i + 1), value});
      else result.columns[i].value = varying(value->type);
      ++i;
    }
  }
  return result;
}

// Each query of WITH runs once, before; of its columns only the types are kept.
void Lowering::with_clause(const Json& clause) {
  for (const Json& part : member(clause, "ctes")) {
    const Json& table = as(part, "CommonTableExpr");
    const Json& inner = member(table, "ctequery");
    const std::string name = text_of(table, "ctename");
    Relation relation{name, {}};
    if (flag_of(clause, "recursive")) {
      note(fmt::format("WITH RECURSIVE {}: any result is assumed", name));
      opaque("WITH RECURSIVE " + name);
      for (const std::string& column : names_of(member(table, "aliascolnames")))
        relation.columns.push_back({column, varying(Type::Other)});
      relation.open = true;
    } else if (kind_of(inner) == "SelectStmt") {
      ++unsure_;  // only what is named later is evaluated
      Query result = query(inner, nullptr, nullptr, false);
      --unsure_;
      const auto names = names_of(member(table, "aliascolnames"));
      for (std::size_t i = 0; i < result.columns.size(); ++i)
        relation.columns.push_back(
            {i < names.size() ? names[i] : result.columns[i].name,
             typed(varying(result.columns[i].value->type), result.columns[i].value->declared)});
      note(fmt::format("WITH {}: its rows are read, any result is assumed", name));
      run(std::move(result));
    } else {
      note(fmt::format("WITH {}: its rows are changed, any result is assumed", name));
      const Json& changed = inner.is_object() && !inner.empty() ? *inner.begin() : nothing();
      if (const auto id = table_of(member(changed, "relation")))
        for (const Column& column : schema_[*id].columns)
          relation.columns.push_back({column.name, typed(varying(column.type), column.declared)});
      relation.open = true;
      // All parts of the statement see the rows as they were before any of them was changed.
      Opaque before{"WITH " + name, {}, {}};
      for (std::size_t t = 0; t < schema_.tables.size(); ++t) before.reads.push_back(TableId(t));
      append(std::move(before));
      const bool found = std::exchange(tracks_found, false), count = std::exchange(tracks_count, false);
      statement(inner, {});
      tracks_found = found, tracks_count = count;
    }
    with_.insert_or_assign(name, std::move(relation));
  }
}

void Lowering::run(Query query) {
  if (query.select.sources.empty()) return;
  if (query.select.rows != Select::Rows::Aggregate)
    for (const auto& column : query.columns) query.select.outputs.push_back({.value = column.value});
  append(std::move(query.select));
}

std::vector<std::string> Lowering::target_names(const std::vector<Relation::Named>& columns,
                                                const Into& into) {
  std::vector<std::string> names = into.variables;
  if (!into.record.empty()) {
    names.clear();
    for (const auto& column : columns) {
      // \\gset makes variables of the columns themselves.
      names.push_back(into.record == "\\gset" ? column.name : into.record + "." + column.name);
      if (!environment.contains(names.back()))
        declare(names.back(), column.value->type, false, null_constant());
    }
  }
  return names;
}

void Lowering::deliver_rows(const std::vector<Relation::Named>& columns, const Into& into,
                            std::vector<Output>& outputs) {
  const auto names = target_names(columns, into);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Output output{.value = columns[i].value};
    if (i < names.size()) {
      const auto bound = environment.find(names[i]);
      const bool told = bound != environment.end() && bound->second.type != Type::Other;
      const Type type = told ? bound->second.type : columns[i].value->type;
      const std::string declared = told ? bound->second.declared : columns[i].value->declared;
      output.value = converted(output.value, {type, false, false, declared}, Conversion::Assignment);
      output.into = build_.local(names[i], type);
      build_.program().variables.back().declared = declared;
      bind(names[i], build_.value_of(output.into));
    }
    outputs.push_back(std::move(output));
  }
  for (std::size_t i = columns.size(); i < names.size(); ++i) bind(names[i], null_constant());
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
  std::vector<ExpressionPtr> values;
  const auto names = target_names(result.columns, into);
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    if (i < names.size()) store(names[i], result.columns[i].value);
    else values.push_back(result.columns[i].value);
  }
  for (std::size_t i = result.columns.size(); i < names.size(); ++i) bind(names[i], null_constant());
  if (into.strict && result.found) {
    build_.begin_if(make(Kind::Not, {result.found}));
    append(Abort{"query returned no rows"});
    build_.end();
  }
  if (!values.empty() && names.empty()) append(Emit{std::move(values)});
}

Select Lowering::loop_query(const Json& node, const Into& into) {
  if (kind_of(node) != "SelectStmt" || has_gaps(node)) {
    // FOR r IN UPDATE ... RETURNING: the statement runs once, each round has any of its rows.
    statement(node, {});
    forget(into);
    return {};
  }
  Query result = query(node, nullptr, nullptr, false);
  if (result.select.rows == Select::Rows::Aggregate) {
    // One round, with values that an ordinary statement has put into variables.
    append(std::move(result.select));
    const auto names = target_names(result.columns, into);
    for (std::size_t i = 0; i < names.size() && i < result.columns.size(); ++i)
      bind(names[i], result.columns[i].value);
    return {};
  }
  if (result.select.sources.empty()) {
    const auto names = target_names(result.columns, into);
    for (std::size_t i = 0; i < names.size() && i < result.columns.size(); ++i)
      bind(names[i], typed(unknown(result.columns[i].value->type), result.columns[i].value->declared));
    return {};
  }
  build_.enter_loop();
  deliver_rows(result.columns, into, result.select.outputs);
  return std::move(result.select);
}

}  // namespace assay::sql

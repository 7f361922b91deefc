// SELECT: target list, aggregates, ORDER BY with LIMIT, set operations, WITH, and where results go.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

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

// Does some part outside of inner queries call a function of this kind?
bool has_call(const Json& node, const std::function<bool(const Json&)>& is_kind) {
  if (!node.is_structured()) return false;
  if (node.is_object()) {
    if (node.contains("SubLink")) return false;
    if (const Json& call = as(node, "FuncCall"); !call.is_null() && is_kind(call)) return true;
  }
  return std::ranges::any_of(node, [&](const Json& kid) { return has_call(kid, is_kind); });
}

bool is_window(const Json& call) { return !member(call, "over").is_null(); }

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

// The same columns, of which any value is assumed.
Columns any_row_of(Columns columns) {
  for (NamedColumn& column : columns)
    if (column.value) column.value = typed(varying(column.value->type), column.value->declared);
  return columns;
}

// Of two rows that make up one column each, any value of both types.
Columns any_row_of(Columns columns, const Columns& others) {
  columns = any_row_of(std::move(columns));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ExpressionPtr& value = columns[i].value;
    const ExpressionPtr other = others.at(i);
    if (value && (!other || other->type != value->type || other->declared != value->declared))
      value = varying(Type::Other);
  }
  return columns;
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
  const Json& having = member(select, "havingClause");
  const bool aggregate = has_aggregate(member(select, "targetList")) || (!grouped && !having.is_null());
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
  if (!having.is_null()) {
    note("HAVING: any of the groups is assumed to remain");
    result.select.partial = true;
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
  // A window is made of rows that a condition around this query does not meet.
  result.derived = grouped || aggregate || !member(select, "distinctClause").is_null() ||
                   has_call(member(select, "targetList"), is_window);
  const bool sets =
      has_call(member(select, "targetList"), [&](const Json& call) { return gives_rows(call); });
  if (sets) result.select.partial = result.many = true;
  pass_over_null(result.select);
  order_and_limit(select, scope, result, single && !grouped);
  locking(select, result);
  if (result.select.rows == Select::Rows::Aggregate && may_leave_nothing(select)) leave_open(result);
  if (single && result.select.rows == Select::Rows::All) result.select.rows = Select::Rows::First;
  unsure_ -= unsure ? 1 : 0;
  return result;
}

// A function that may give no row, or several, where it stands in a target list.
bool Lowering::gives_rows(const Json& call) const {
  constexpr std::string_view kSets[] = {"generate_series", "generate_subscripts", "unnest"};
  const std::string name = last_name(member(call, "funcname"));
  return std::ranges::find(kSets, name) != std::end(kSets) || around_.sets.contains(name);
}

// The one row of an aggregate is not there: HAVING, LIMIT 0, OFFSET.
bool Lowering::may_leave_nothing(const Json& select) {
  const Json& limit = member(select, "limitCount");
  return !member(select, "havingClause").is_null() || !member(select, "limitOffset").is_null() ||
         (!limit.is_null() && number_of(member(as(limit, "A_Const"), "ival"), "ival") < 1);
}

void Lowering::leave_open(Query& query) {
  const VariableId there = temporary("row remains", Type::Boolean);
  append(Assign{there, unknown(Type::Boolean)});
  query.found = build_.value_of(there);
  for (NamedColumn& column : query.columns)
    if (column.value)
      column.value = typed(unknown(column.value->type, {column.value}), column.value->declared);
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
      result.select.partial = result.select.skips_locked = true;
    }
  }
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
        std::ranges::find(result.columns, names.size() == 1 ? names[0] : "*", &NamedColumn::name);
    const auto index = static_cast<std::size_t>(number_of(position, "ival"));
    const ExpressionPtr numbered = index >= 1 ? result.columns.at(index - 1) : nullptr;
    if (numbered) keys.push_back(numbered);
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
  const Columns first = left.columns;
  run(std::move(left));
  Query right = query(Json{{"SelectStmt", member(select, "rarg")}}, outer, outer_fields, false);
  result.columns = any_row_of(first, right.columns);
  run(std::move(right));
  --unsure_;
  return result;
}

Lowering::Query Lowering::values_list(const Json& lists, Scope& scope) {
  Query result;
  result.derived = true;
  result.many = lists.size() > 1;
  for (const Json& list : lists) {
    const Columns row = lower_row(member(as(list, "List"), "items"), &scope);
    if (&list == &lists.front()) result.columns = row;
    else if (row.is_open()) result.columns = any_row_of(row, result.columns);
    else result.columns = any_row_of(std::move(result.columns), row);
  }
  for (std::size_t i = 0; i < result.columns.size(); ++i)
    result.columns[i].name = fmt::format("column{}", i + 1);
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
        relation.columns.add({column, varying(Type::Other)});
      relation.columns.open();
    } else if (kind_of(inner) == "SelectStmt") {
      ++unsure_;  // only what is named later is evaluated
      Query result = query(inner, nullptr, nullptr, false);
      --unsure_;
      relation.columns = any_row_of(result.columns);
      relation.columns.rename(names_of(member(table, "aliascolnames")));
      note(fmt::format("WITH {}: its rows are read, any result is assumed", name));
      run(std::move(result));
    } else {
      note(fmt::format("WITH {}: its rows are changed, any result is assumed", name));
      const Json& changed = inner.is_object() && !inner.empty() ? *inner.begin() : nothing();
      if (const auto id = table_of(member(changed, "relation")))
        for (const Column& column : schema_[*id].columns)
          relation.columns.add({column.name, typed(varying(column.type), column.declared)});
      relation.columns.open_from(0);
      relation.columns.rename(names_of(member(table, "aliascolnames")));
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

}  // namespace assay::sql

// FROM: tables, joins, queries in place of tables, functions that give rows.
#include <fmt/format.h>

#include <algorithm>

#include "sql/lowering.h"
#include "sql/tree.h"

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

ExpressionPtr shifted(const ExpressionPtr& expression, std::size_t by) {
  if (!expression || by == 0 || !contains(expression, Kind::Field)) return expression;
  Expression copy = *expression;
  if (copy.kind == Kind::Field) copy.source = SourceId(copy.source.index() + by);
  for (ExpressionPtr& kid : copy.kids) kid = shifted(kid, by);
  return std::make_shared<const Expression>(std::move(copy));
}

void rename(Relation& relation, const Json& alias) {
  if (alias.is_null()) return;
  relation.alias = text_of(alias, "aliasname");
  relation.columns.rename(names_of(member(alias, "colnames")));
}

}  // namespace

Relation Lowering::relation_of(TableId table, SourceId source, std::string alias) const {
  Relation relation{std::move(alias), {}};
  const auto& columns = schema_[table].columns;
  for (std::size_t i = 0; i < columns.size(); ++i)
    relation.columns.add(
        {columns[i].name, typed(field(ColumnId(i), columns[i].type, source), columns[i].declared)});
  return relation;
}

std::optional<TableId> Lowering::table_of(const Json& range_var) {
  const std::string name = text_of(range_var, "relname");
  if (const auto unclear = around_.unclear.find(name); unclear != around_.unclear.end()) {
    not_understood(fmt::format("{} ({})", name, unclear->second));
    return std::nullopt;
  }
  if (const auto found = schema_.find(name)) {
    const Table& table = schema_[*found];
    if (around_.views.contains(name)) not_understood(fmt::format("{}, a table and a view,", name));
    if (!table.unclear.empty()) not_understood(fmt::format("table {} ({})", table.name, table.unclear));
    const bool whole = std::ranges::any_of(schema_.partitions,
                                           [&](const auto& partition) { return partition.second == name; });
    if (whole && !flag_of(range_var, "inh"))
      not_understood(fmt::format("ONLY {}, which has partitions,", name));  // no rows
    return found;
  }
  if (around_.views.contains(name)) {
    not_understood(fmt::format("a change of view {}", name));
    return std::nullopt;
  }
  fail(fmt::format("there is no table {}", name), "add its CREATE TABLE to one of the files");
  return std::nullopt;
}

void Lowering::from_item(const Json& item, Scope& scope, Select& select,
                         std::vector<ExpressionPtr>& conditions) {
  const std::string kind = kind_of(item);
  const Json& body = member(item, kind.c_str());
  if (kind == "JoinExpr") return join(body, scope, select, conditions);
  if (kind == "RangeSubselect") return from_subquery(body, scope, select, conditions);
  if (kind == "RangeFunction") return from_function(body, scope);
  if (kind != "RangeVar") {
    note(fmt::format("{} in FROM: it may read everything", kind));
    scope.relations.push_back({"", Columns::of_unknown_row(nullptr)});
    scope.many = true;
    return opaque("FROM " + kind);
  }
  const std::string name = text_of(body, "relname");
  if (const auto with = with_.find(name); with != with_.end()) {
    Relation relation = with->second;
    rename(relation, member(body, "alias"));
    scope.relations.push_back(std::move(relation));
    scope.many = true;
    return;
  }
  if (const auto view = around_.views.find(name);
      view != around_.views.end() && !around_.unclear.contains(name) && !schema_.find(name)) {
    Json alias = member(body, "alias");
    if (alias.is_null()) alias = Json{{"aliasname", name}};
    if (!views_around_.insert(name).second) {
      not_understood(fmt::format("view {}, which is defined by itself,", name));
      scope.relations.push_back({text_of(alias, "aliasname"), Columns::of_unknown_row(nullptr)});
      scope.many = true;
      return;
    }
    from_subquery(Json{{"subquery", view->second}, {"alias", alias}}, scope, select, conditions);
    views_around_.erase(name);
    return;
  }
  const auto table = table_of(body);
  if (!table) {
    // Of a relation that is not understood every column may have any value.
    Relation any{name, Columns::of_unknown_row(nullptr)};
    rename(any, member(body, "alias"));
    scope.relations.push_back(std::move(any));
    scope.many = true;
    return;
  }
  const SourceId source(select.sources.size());
  Relation relation = relation_of(*table, source, name);
  if (const ExpressionPtr some = hidden(body, *table, source)) conditions.push_back(some);
  rename(relation, member(body, "alias"));
  select.sources.push_back(*table);
  scope.relations.push_back(std::move(relation));
}

void Lowering::join(const Json& node, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions) {
  const std::string type = text_of(node, "jointype");
  const bool right = type == "JOIN_RIGHT", outer = type == "JOIN_LEFT" || type == "JOIN_FULL" || right;
  const Json& kept = member(node, right ? "rarg" : "larg");
  const Json& other = member(node, right ? "larg" : "rarg");
  const std::size_t before = scope.relations.size();
  if (type == "JOIN_FULL") {
    optional_side(kept, nothing(), scope);
    scope.many = true;
  } else {
    from_item(kept, scope, select, conditions);
  }
  scope.merged |= !member(node, "usingClause").is_null() || flag_of(node, "isNatural");
  if (outer) {
    const auto first = static_cast<std::ptrdiff_t>(before), middle = std::ssize(scope.relations);
    optional_side(other, member(node, "quals"), scope);
    // `*` has the columns of the left side first.
    const auto begin = scope.relations.begin();
    if (right) std::rotate(begin + first, begin + middle, scope.relations.end());
    return;
  }
  const std::size_t between = scope.relations.size();
  from_item(other, scope, select, conditions);
  if (const Json& condition = member(node, "quals"); !condition.is_null())
    conditions.push_back(lower(condition, &scope));
  std::vector<std::string> shared = names_of(member(node, "usingClause"));
  if (flag_of(node, "isNatural"))
    for (std::size_t i = before; i < between; ++i)
      for (const auto& column : scope.relations[i].columns) shared.push_back(column.name);
  for (const std::string& name : shared) {
    const auto find = [&](std::size_t from, std::size_t to) -> ExpressionPtr {
      for (std::size_t i = from; i < to; ++i)
        for (const auto& column : scope.relations[i].columns)
          if (column.name == name) return column.value;
      return nullptr;
    };
    const ExpressionPtr a = find(before, between), b = find(between, scope.relations.size());
    if (a && b) conditions.push_back(lower_named_operator("=", a, b));
  }
}

// The side of an outer join that may be missing is read by a statement of its own, all columns of it, and its
// columns here may have any value.
void Lowering::optional_side(const Json& item, const Json& condition, Scope& scope) {
  note("an outer join: the side that may be missing is read on its own, any value of it is assumed");
  Scope inside{{}, &scope, nullptr};
  Select select{.rows = Select::Rows::All, .partial = true};
  std::vector<ExpressionPtr> conditions;
  from_item(item, inside, select, conditions);
  if (!condition.is_null()) conditions.push_back(lower(condition, &inside));
  select.where = all_of(std::move(conditions));
  scope.repeats = true;
  for (Relation& relation : inside.relations) {
    for (auto& column : relation.columns) {
      select.outputs.push_back({.value = column.value});
      column.value = typed(varying(column.value->type), column.value->declared);
    }
    scope.relations.push_back(std::move(relation));
  }
  if (!select.sources.empty()) append(std::move(select));
}

void Lowering::from_subquery(const Json& item, Scope& scope, Select& select,
                             std::vector<ExpressionPtr>& conditions) {
  Select* const around = std::exchange(aggregating_, nullptr);
  ++unsure_;
  Query inner = query(member(item, "subquery"), flag_of(item, "lateral") ? &scope : scope.outer,
                      scope.outer_fields, false);
  --unsure_;
  aggregating_ = around;
  Relation relation{"", inner.columns};
  rename(relation, member(item, "alias"));
  scope.many |= inner.many;
  scope.repeats |= inner.repeats;
  if (!inner.derived) {
    const std::size_t by = select.sources.size();
    for (auto& column : relation.columns) column.value = shifted(column.value, by);
    for (const Output& output : inner.select.outputs)
      select.outputs.push_back({.value = shifted(output.value, by)});
    select.sources.insert(select.sources.end(), inner.select.sources.begin(), inner.select.sources.end());
    if (inner.select.where) conditions.push_back(shifted(inner.select.where, by));
  } else {
    if (inner.select.rows != Select::Rows::Aggregate) {
      note("a query with groups, DISTINCT or LIMIT in FROM: its rows are read, any result is assumed");
      for (NamedColumn& column : relation.columns)
        column.value = typed(varying(column.value->type), column.value->declared);
      scope.many = true;
    }
    scope.many |= inner.found != nullptr;
    run(std::move(inner));
  }
  scope.relations.push_back(std::move(relation));
}

// The columns that a function gives in FROM: known of functions of the files, and of some of PostgreSQL's.
Columns Lowering::rows_of_call(const Json& call, const std::string& alias, Scope& scope) {
  constexpr std::string_view kOneColumn[] = {
      "generate_series",       "generate_subscripts",  "json_array_elements", "json_array_elements_text",
      "json_object_keys",      "jsonb_array_elements", "jsonb_object_keys",   "jsonb_array_elements_text",
      "regexp_split_to_table", "string_to_table"};
  if (as(call, "FuncCall").is_null()) {
    // current_date and the like
    return Columns::of_unknown_row(call.empty() || kind_of(call) == "List" ? nullptr : lower(call, &scope));
  }
  const ExpressionPtr value = lower(call, &scope);
  const Json& written = member(as(call, "FuncCall"), "funcname");
  const std::string name = last_name(written);
  if (const auto own = around_.results.find(name); own != around_.results.end()) {
    Columns columns = own->second;
    if (columns.size() == 1 && columns[0].name.empty()) columns[0].name = alias.empty() ? name : alias;
    return columns;
  }
  const Type type = value->kids.empty() || value->type != Type::Other ? value->type : value->kids[0]->type;
  Columns columns({{alias.empty() ? name : alias, varying(type, value->kids)}});
  const ExpressionPtr array = name == "unnest" && value->kids.size() == 1 ? value->kids[0] : nullptr;
  const std::string element = array ? array->declared.substr(0, array->declared.find('[')) : "";
  const bool one = std::ranges::find(kOneColumn, name) != std::end(kOneColumn) ||
                   (array && array->declared.ends_with("[]") && is_scalar_type(element));
  if (!one) columns.open_from(0);
  return columns;
}

void Lowering::from_function(const Json& item, Scope& scope) {
  note("a function in FROM: any rows are assumed");
  scope.many = true;
  Relation relation;
  const Json& alias = member(item, "alias");
  const Json& functions = member(item, "functions");
  for (const Json& part : functions) {
    const Json& call =
        member(as(part, "List"), "items").empty() ? nothing() : member(as(part, "List"), "items")[0];
    relation.alias = last_name(member(as(call, "FuncCall"), "funcname"));
    const std::string only = functions.size() == 1 ? text_of(alias, "aliasname") : "";
    relation.columns.append(rows_of_call(call, only, scope));
  }
  if (flag_of(item, "ordinality")) relation.columns.add({"ordinality", varying(Type::Integer)});
  rename(relation, alias);
  scope.relations.push_back(std::move(relation));
}

}  // namespace assay::sql

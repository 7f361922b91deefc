#include "sql_log/column_uses.h"

#include <algorithm>

namespace assay::sql_log {
namespace {

using sql::as;
using sql::Json;
using sql::member;
using sql::text_of;

class ColumnFinder {
 public:
  explicit ColumnFinder(const sql::Schema& schema) : schema_(schema) {}

  void visit(const Json& node) {
    if (!node.is_structured()) return;
    if (!node.is_object()) {
      for (const Json& kid : node) visit(kid);
      return;
    }
    // Queries and changes have these members; the tables are known in everything inside.
    const std::size_t outside = tables_.size();
    add_tables(member(node, "fromClause"));
    add_tables(member(node, "usingClause"));
    if (const Json& relation = member(node, "relation"); relation.is_object()) add_table(relation);
    if (node.contains("A_Expr")) comparison(node["A_Expr"]);
    if (node.contains("InsertStmt")) inserted(node["InsertStmt"]);
    if (node.contains("UpdateStmt"))
      assigned(member(node["UpdateStmt"], "targetList"), member(node["UpdateStmt"], "relation"));
    for (const Json& kid : node) visit(kid);
    tables_.resize(outside);
  }

  ColumnUses take() { return std::move(uses_); }

 private:
  void add_table(const Json& range) {
    const std::string name = text_of(range, "relname"), alias = text_of(member(range, "alias"), "aliasname");
    tables_.emplace_back(alias.empty() ? name : alias, name);
  }

  void add_tables(const Json& from) {
    if (from.is_array())
      for (const Json& item : from) add_tables(item);
    if (const Json& range = as(from, "RangeVar"); !range.is_null()) add_table(range);
    if (const Json& join = as(from, "JoinExpr"); !join.is_null())
      add_tables(member(join, "larg")), add_tables(member(join, "rarg"));
  }

  std::string spelled(const std::string& table, const std::string& column) const {
    const auto found = schema_.find(table);
    return found && schema_[*found].find(column) ? schema_[*found].name + "." + column : std::string();
  }

  // Empty when the node is no column of a known table.
  std::string column_of(const Json& node) const {
    if (const Json& cast = as(node, "TypeCast"); !cast.is_null()) return column_of(member(cast, "arg"));
    const auto names = sql::names_of(member(as(node, "ColumnRef"), "fields"));
    if (names.empty() || names.size() > 2) return {};
    for (auto table = tables_.rbegin(); table != tables_.rend(); ++table) {
      if (names.size() == 2 && table->first != names[0]) continue;
      if (std::string column = spelled(table->second, names.back()); !column.empty()) return column;
    }
    return {};
  }

  void use(const Json& node, const std::string& column) {
    if (column.empty()) return;
    if (const Json& cast = as(node, "TypeCast"); !cast.is_null()) return use(member(cast, "arg"), column);
    if (const Json& list = as(node, "List"); !list.is_null())
      for (const Json& item : member(list, "items")) use(item, column);
    for (const char* kind : {"A_Const", "ParamRef"})
      if (const Json& value = as(node, kind); !value.is_null())
        uses_[sql::number_of(value, "location")].insert(column);
  }

  void comparison(const Json& expression) {
    const Json &left = member(expression, "lexpr"), &right = member(expression, "rexpr");
    use(right, column_of(left));
    use(left, column_of(right));
  }

  void assigned(const Json& targets, const Json& relation) {
    for (const Json& target : targets) {
      const Json& set = as(target, "ResTarget");
      use(member(set, "val"), spelled(text_of(relation, "relname"), text_of(set, "name")));
    }
  }

  void inserted(const Json& insert) {
    const Json& relation = member(insert, "relation");
    const std::string table = text_of(relation, "relname");
    std::vector<std::string> columns;
    for (const Json& target : member(insert, "cols"))
      columns.push_back(text_of(as(target, "ResTarget"), "name"));
    if (const auto known = schema_.find(table); known && columns.empty())
      for (const sql::Column& column : schema_[*known].columns) columns.push_back(column.name);
    for (const Json& row : member(as(member(insert, "selectStmt"), "SelectStmt"), "valuesLists")) {
      const Json& items = member(as(row, "List"), "items");
      for (std::size_t i = 0; i < std::min(items.size(), columns.size()); ++i)
        use(items[i], spelled(table, columns[i]));
    }
    assigned(member(member(insert, "onConflictClause"), "targetList"), relation);
  }

  const sql::Schema& schema_;
  std::vector<std::pair<std::string, std::string>> tables_;  // what they are called here, and their names
  ColumnUses uses_;
};

}  // namespace

ColumnUses column_uses(const Json& statement, const sql::Schema& schema) {
  ColumnFinder finder(schema);
  finder.visit(statement);
  return finder.take();
}

}  // namespace assay::sql_log

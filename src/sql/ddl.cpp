#include "sql/ddl.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/errors.h"
#include "sql/expression.h"
#include "sql/tree.h"
#include "sql/type_names.h"

namespace assay::sql {
namespace {

// Of a default only constants and sequences are worth knowing.
ExpressionPtr default_value(const Json& node, Type type) {
  if (const Json& value = as(node, "A_Const"); !value.is_null()) {
    if (flag_of(value, "isnull")) return nullptr;
    if (const Json& number = member(value, "ival"); !number.is_null() && number_of(number, "ival") > 0)
      return constant(type, std::to_string(number_of(number, "ival")));
    if (const Json& number = member(value, "fval"); !number.is_null())
      return constant(type, text_of(number, "fval"));
    if (const Json& word = member(value, "sval"); !word.is_null())
      return constant(type, text_of(word, "sval"));
    if (const Json& truth = member(value, "boolval"); !truth.is_null())
      return constant(type, flag_of(truth, "boolval") ? "true" : "false");
  }
  if (const Json& cast = as(node, "TypeCast"); !cast.is_null())
    return default_value(member(cast, "arg"), type);
  const std::string function = last_name(member(as(node, "FuncCall"), "funcname"));
  if (function == "nextval" || function == "gen_random_uuid" || function == "uuid_generate_v4")
    return make_fresh(type);
  return unknown(type);
}

std::vector<std::string> index_columns(const Json& parameters) {
  std::vector<std::string> columns;
  for (const Json& part : parameters) columns.push_back(text_of(as(part, "IndexElem"), "name"));
  return columns;
}

bool unimportant(const std::string& kind) {
  constexpr std::string_view kinds[] = {"CommentStmt",
                                        "GrantStmt",
                                        "VariableSetStmt",
                                        "CreateSeqStmt",
                                        "AlterSeqStmt",
                                        "CreateEnumStmt",
                                        "DropStmt",
                                        "CreateSchemaStmt",
                                        "CreateDomainStmt",
                                        "AlterOwnerStmt",
                                        "TransactionStmt",
                                        "GrantRoleStmt",
                                        "VacuumStmt",
                                        "CreateExtensionStmt",
                                        "TruncateStmt",
                                        "CreateRoleStmt",
                                        "AlterDefaultPrivilegesStmt"};
  return std::ranges::find(kinds, kind) != std::end(kinds);
}

}  // namespace

Result<bool> SchemaReader::add(const Json& statement, const Place& place) {
  const std::string kind = kind_of(statement);
  const Json& body = member(statement, kind.c_str());
  if (kind == "CreateStmt") {
    ASSAY_TRY(create_table(body, place));
  } else if (kind == "AlterTableStmt") {
    alter_table(body, place);
  } else if (kind == "IndexStmt") {
    // A unique index over some of the rows, or over expressions, keeps nothing apart that we can name.
    const auto columns = index_columns(member(body, "indexParams"));
    if (flag_of(body, "unique") && member(body, "whereClause").is_null() && !std::ranges::count(columns, ""))
      keys_.push_back(
          {text_of(member(body, "relation"), "relname"), Json{{"contype", "CONSTR_UNIQUE"}}, columns, place});
  } else {
    return unimportant(kind);
  }
  return true;
}

Result<void> SchemaReader::create_table(const Json& create, const Place& place) {
  Table table{.name = text_of(member(create, "relation"), "relname"), .columns = {}, .place = place};
  if (schema_.find(table.name)) {
    if (flag_of(create, "if_not_exists")) return {};
    return error_at(place, fmt::format("table {} exists already", table.name),
                    "give each table once; schemas are not told apart");
  }
  for (const Json& element : member(create, "tableElts")) {
    if (const Json& column = as(element, "ColumnDef"); !column.is_null()) {
      ASSAY_TRY(add_column(table, column, place));
    } else if (const Json& constraint = as(element, "Constraint"); !constraint.is_null()) {
      const char* columns = text_of(constraint, "contype") == "CONSTR_FOREIGN" ? "fk_attrs" : "keys";
      keys_.push_back({table.name, constraint, names_of(member(constraint, columns)), place});
    } else {
      notes_.push_back({place, fmt::format("table {}: LIKE is not read", table.name)});
    }
  }
  if (table.columns.empty())
    return error_at(place, fmt::format("table {} has no columns", table.name), "list its columns");
  schema_.tables.push_back(std::move(table));
  return {};
}

Result<void> SchemaReader::add_column(Table& table, const Json& definition, const Place& place) {
  const NamedType named = type_of(member(definition, "typeName"));
  Column column{text_of(definition, "colname"), named.is_set ? Type::Other : named.type, !named.serial,
                named.declared, named.serial ? make_fresh(named.type) : nullptr};
  if (table.find(column.name))
    return error_at(place, fmt::format("column {} of table {} stands twice", column.name, table.name));
  for (const Json& part : member(definition, "constraints")) {
    const Json& constraint = as(part, "Constraint");
    const std::string kind = text_of(constraint, "contype");
    if (kind == "CONSTR_NOTNULL") column.nullable = false;
    else if (kind == "CONSTR_DEFAULT")
      column.fallback = default_value(member(constraint, "raw_expr"), column.type);
    else if (kind == "CONSTR_IDENTITY") column.fallback = make_fresh(column.type), column.nullable = false;
    else if (kind == "CONSTR_GENERATED") column.fallback = unknown(column.type);
    else keys_.push_back({table.name, constraint, {column.name}, place});
  }
  table.columns.push_back(std::move(column));
  return {};
}

void SchemaReader::alter_table(const Json& alter, const Place& place) {
  const std::string table = text_of(member(alter, "relation"), "relname");
  for (const Json& part : member(alter, "cmds")) {
    const Json& command = as(part, "AlterTableCmd");
    const std::string subtype = text_of(command, "subtype");
    const Json& constraint = as(member(command, "def"), "Constraint");
    if (subtype == "AT_AddConstraint") {
      const char* columns = text_of(constraint, "contype") == "CONSTR_FOREIGN" ? "fk_attrs" : "keys";
      keys_.push_back({table, constraint, names_of(member(constraint, columns)), place});
    } else if (subtype == "AT_AddColumn" || subtype == "AT_DropColumn" || subtype == "AT_AlterColumnType") {
      notes_.push_back(
          {place, fmt::format("ALTER TABLE {} changes columns; put them into CREATE TABLE", table)});
    }
  }
}

Result<void> SchemaReader::resolve(const PendingKey& key) {
  const auto found = schema_.find(key.table);
  if (!found)
    return error_at(key.place, fmt::format("there is no table {}", key.table), "add its CREATE TABLE");
  Table& table = schema_.tables[found->index()];
  std::vector<ColumnId> columns;
  for (const std::string& name : key.columns) {
    const auto column = table.find(name);
    if (!column) return error_at(key.place, fmt::format("table {} has no column {}", key.table, name));
    columns.push_back(*column);
  }
  const std::string kind = text_of(key.constraint, "contype");
  if (kind == "CONSTR_PRIMARY") {
    if (!table.primary_key.empty())
      return error_at(key.place, fmt::format("table {} has two primary keys", key.table));
    for (const ColumnId column : columns) table.columns[column.index()].nullable = false;
    table.primary_key = std::move(columns);
  } else if (kind == "CONSTR_UNIQUE") {
    table.unique.push_back(std::move(columns));
  } else if (kind == "CONSTR_FOREIGN") {
    return resolve_reference(
        table, {std::move(columns), {}, {}, text_of(key.constraint, "fk_del_action") == "c"}, key);
  } else if (kind == "CONSTR_CHECK" || kind == "CONSTR_EXCLUSION") {
    notes_.push_back(
        {key.place, fmt::format("table {}: a {} constraint may make transactions abort; this is not used",
                                key.table, kind == "CONSTR_CHECK" ? "CHECK" : "EXCLUDE")});
  }
  return {};
}

Result<void> SchemaReader::resolve_reference(Table& table, ForeignKey key, const PendingKey& pending) {
  const std::string target = text_of(member(pending.constraint, "pktable"), "relname");
  const auto found = schema_.find(target);
  if (!found)
    return error_at(pending.place, fmt::format("there is no table {}", target), "add its CREATE TABLE");
  key.target = *found;
  for (const std::string& name : names_of(member(pending.constraint, "pk_attrs"))) {
    const auto column = schema_[*found].find(name);
    if (!column) return error_at(pending.place, fmt::format("table {} has no column {}", target, name));
    key.target_columns.push_back(*column);
  }
  if (key.target_columns.empty()) key.target_columns = schema_[*found].primary_key;
  if (key.target_columns.size() != key.columns.size())
    return error_at(pending.place,
                    fmt::format("a foreign key of table {} does not fit the key of {}", table.name, target));
  table.foreign_keys.push_back(std::move(key));
  return {};
}

Result<Schema> SchemaReader::finish() {
  // Primary keys first: a foreign key may mean them without naming columns.
  std::ranges::stable_partition(
      keys_, [](const PendingKey& key) { return text_of(key.constraint, "contype") == "CONSTR_PRIMARY"; });
  for (const PendingKey& key : keys_) ASSAY_TRY(resolve(key));
  return std::move(schema_);
}

}  // namespace assay::sql

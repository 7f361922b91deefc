#include "sql_log/roles.h"

#include <algorithm>
#include <array>
#include <span>

#include "sql/settings.h"
#include "sql/words.h"

namespace assay::sql_log {
namespace {

using sql::as;
using sql::Json;
using sql::member;
using sql::text_of;

// Functions that drivers and frameworks call to find out about the session. They touch no rows of tables.
constexpr auto kAboutTheSession = std::to_array<std::string_view>({
    "version",
    "current_schema",
    "current_schemas",
    "current_database",
    "current_setting",
    "set_config",
    "pg_backend_pid",
    "pg_is_in_recovery",
    "pg_my_temp_schema",
    "inet_server_addr",
    "inet_server_port",
    "inet_client_addr",
    "pg_postmaster_start_time",
    "pg_encoding_to_char",
    "array_to_string",
    "format_type",
    "pg_get_userbyid",
    "has_table_privilege",
    "has_schema_privilege",
    "pg_table_is_visible",
    "pg_get_expr",
    "pg_get_constraintdef",
    "pg_get_indexdef",
    "quote_ident",
    "obj_description",
    "col_description",
    "array_agg",
    "string_agg",
    "row_number",
    "unnest",
    "generate_subscripts",
    "generate_series",
    "coalesce",
    "lower",
    "upper",
    "count",
    "max",
    "min",
    "bool_or",
    "array_length",
    "json_agg",
    "now",
    "pg_get_function_identity_arguments",
    "information_schema._pg_expandarray",
    "_pg_expandarray",
    "shobj_description",
    "pg_get_viewdef",
    "pg_get_serial_sequence",
    "pg_relation_size",
    "pg_total_relation_size",
    "current_user",
    "btrim",
    "split_part",
});

// Settings that change which rows the names in later statements mean. They are not followed.
constexpr auto kSettingsOfNames =
    std::to_array<std::string_view>({"search_path", "role", "session_authorization", "row_security"});

bool has(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

Part named_setting(const std::string& name) {
  Part part{.role = name.empty() || sql::is_harmless_setting(name) ? Role::Talk : Role::Work};
  if (has(kSettingsOfNames, name))
    part.remark = "SET " + name + " is not followed: tables and rows are taken by name";
  return part;
}

// Whether a query names only PostgreSQL's own tables, and calls only functions that ask about the session.
class CatalogueQuery {
 public:
  static Part part(const Json& select, const sql::Schema& schema) {
    CatalogueQuery query(schema);
    query.collect_names(select);
    query.visit(select);
    if (!query.only_) return {Role::Work};
    return query.sets_.empty() ? Part{Role::Talk} : named_setting(query.sets_);
  }

 private:
  explicit CatalogueQuery(const sql::Schema& schema) : schema_(schema) {}

  // Queries of WITH go by names of their own.
  void collect_names(const Json& node) {
    if (!node.is_structured()) return;
    if (const Json& named = as(node, "CommonTableExpr"); !named.is_null())
      names_.push_back(text_of(named, "ctename"));
    for (const Json& kid : node) collect_names(kid);
  }

  void visit(const Json& node) {
    if (!node.is_structured() || !only_) return;
    if (node.is_object())
      for (const auto& [key, kid] : node.items()) look(key, kid);
    for (const Json& kid : node) visit(kid);
  }

  void look(const std::string& key, const Json& node) {
    if (key == "RangeVar" || key == "relation" || key == "rel") {
      const std::string schema = text_of(node, "schemaname"), name = text_of(node, "relname");
      const bool own = schema == "pg_catalog" || schema == "information_schema" ||
                       (schema.empty() && name.starts_with("pg_") && !schema_.find(name));
      if (!own && std::ranges::find(names_, name) == names_.end()) only_ = false;
    }
    if (key == "FuncCall" && !has(kAboutTheSession, sql::last_name(member(node, "funcname")))) only_ = false;
    if (key == "FuncCall" && sql::last_name(member(node, "funcname")) == "set_config") {
      const Json& arguments = member(node, "args");
      sets_ = sql::lowered(text_of(member(as(arguments[0], "A_Const"), "sval"), "sval"));
      if (sets_.empty()) only_ = false;
    }
    if (key == "intoClause" || key == "lockingClause") only_ = false;
    for (const char* change : {"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"})
      if (key == change) only_ = false;
  }

  const sql::Schema& schema_;
  std::vector<std::string> names_;
  std::string sets_;  // by set_config
  bool only_ = true;
};

std::string level_in(const Json& options) {
  for (const Json& option : options) {
    const Json& element = as(option, "DefElem");
    if (text_of(element, "defname") != "transaction_isolation") continue;
    return text_of(member(as(member(element, "arg"), "A_Const"), "sval"), "sval");
  }
  return {};
}

Part transaction_statement(const Json& body) {
  const std::string kind = text_of(body, "kind");
  Part part{.name = text_of(body, "savepoint_name"), .level = level_in(member(body, "options"))};
  part.chain = sql::flag_of(body, "chain");
  if (kind == "TRANS_STMT_BEGIN" || kind == "TRANS_STMT_START") part.role = Role::Begin;
  // A transaction that was prepared does what it does when it is committed; who prepares it commits it here.
  else if (kind == "TRANS_STMT_COMMIT" || kind == "TRANS_STMT_PREPARE") part.role = Role::Commit;
  else if (kind == "TRANS_STMT_ROLLBACK") part.role = Role::Rollback;
  else if (kind == "TRANS_STMT_SAVEPOINT") part.role = Role::Savepoint;
  else if (kind == "TRANS_STMT_RELEASE") part.role = Role::Release;
  else if (kind == "TRANS_STMT_ROLLBACK_TO") part.role = Role::RollbackTo;
  else part.role = Role::Talk;
  return part;
}

Part setting(const Json& body) {
  const std::string name = sql::lowered(text_of(body, "name"));
  if (name == "transaction" || name == "session characteristics")
    return {
        .role = Role::SetLevel, .level = level_in(member(body, "args")), .session = name != "transaction"};
  if (name == "default_transaction_isolation" || name == "transaction_isolation") {
    const Json& arguments = member(body, "args");
    std::string level;
    if (arguments.is_array() && !arguments.empty())
      level = text_of(member(as(arguments[0], "A_Const"), "sval"), "sval");
    return {.role = Role::SetLevel, .level = level, .session = name.starts_with("default")};
  }
  return named_setting(name);
}

}  // namespace

Part part_of(const Json& node, const sql::Schema& schema) {
  const std::string kind = sql::kind_of(node);
  const Json& body = member(node, kind.c_str());
  if (kind == "TransactionStmt") return transaction_statement(body);
  if (kind == "VariableSetStmt") return setting(body);
  // A cursor FOR UPDATE locks a row when it is fetched, so it is not the query that it declares.
  if (kind == "DeclareCursorStmt")
    return {member(as(member(body, "query"), "SelectStmt"), "lockingClause").is_null() ? Role::Cursor
                                                                                       : Role::Work};
  if (kind == "SelectStmt") return CatalogueQuery::part(node, schema);
  for (const char* talk :
       {"VariableShowStmt", "DiscardStmt", "DeallocateStmt", "FetchStmt", "ClosePortalStmt", "ListenStmt",
        "UnlistenStmt", "NotifyStmt", "CheckPointStmt", "VacuumStmt"})
    if (kind == talk) return {Role::Talk};
  // A temporary table is an application's own business.
  const Json& relation =
      kind == "CreateTableAsStmt" ? member(member(body, "into"), "rel") : member(body, "relation");
  if (text_of(relation, "relpersistence") == "t") return {Role::Work};
  const bool changes = kind.starts_with("Create") || kind.starts_with("Alter") || kind.starts_with("Drop") ||
                       kind == "IndexStmt" || kind == "ViewStmt" || kind == "RuleStmt" ||
                       kind == "RenameStmt" || kind == "CommentStmt" || kind == "GrantStmt" ||
                       kind == "GrantRoleStmt" || kind == "DefineStmt" || kind == "ReindexStmt" ||
                       kind == "ClusterStmt" || kind == "RefreshMatViewStmt" || kind == "SecLabelStmt" ||
                       kind == "ReassignOwnedStmt";
  return {changes ? Role::Schema : Role::Work};
}

}  // namespace assay::sql_log

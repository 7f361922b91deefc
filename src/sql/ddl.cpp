#include "sql/ddl.h"

#include <fmt/format.h>

#include <algorithm>

#include "sql/errors.h"
#include "sql/expression.h"
#include "sql/functions.h"
#include "sql/tree.h"
#include "sql/understood.h"
#include "sql/values.h"

namespace assay::sql {
namespace {

std::vector<std::string> index_columns(const Json& parameters) {
  std::vector<std::string> columns;
  for (const Json& part : parameters) {
    const Json& element = as(part, "IndexElem");
    // Another operator class or collation may call other values equal.
    const bool plain = member(element, "opclass").is_null() && member(element, "collation").is_null();
    columns.push_back(plain ? text_of(element, "name") : "");
  }
  return columns;
}

void collect_columns(const Json& node, std::vector<std::string>& names) {
  if (!node.is_structured()) return;
  if (node.is_object()) {
    if (const Json& column = as(node, "ColumnRef"); !column.is_null())
      names.push_back(last_name(member(column, "fields")));
    if (const Json& element = as(node, "IndexElem"); !element.is_null())
      names.push_back(text_of(element, "name"));
  }
  for (const Json& kid : node) collect_columns(kid, names);
}

std::vector<std::string> constrained_columns(const Json& constraint) {
  return names_of(
      member(constraint, text_of(constraint, "contype") == "CONSTR_FOREIGN" ? "fk_attrs" : "keys"));
}

bool has_option(const Json& options, std::string_view name) {
  return std::ranges::any_of(
      options, [&](const Json& part) { return text_of(as(part, "DefElem"), "defname") == name; });
}

// Subcommands of ALTER TABLE about storage, ownership and maintenance; triggers are enabled to begin with.
bool is_about_storage(std::string_view subtype) {
  constexpr std::string_view kinds[] = {
      "AT_SetStatistics", "AT_SetOptions",       "AT_ResetOptions",       "AT_SetStorage",
      "AT_ChangeOwner",   "AT_ClusterOn",        "AT_DropCluster",        "AT_SetCompression",
      "AT_SetLogged",     "AT_SetUnLogged",      "AT_SetAccessMethod",    "AT_SetTableSpace",
      "AT_SetRelOptions", "AT_ResetRelOptions",  "AT_EnableTrig",         "AT_ReplaceRelOptions",
      "AT_EnableTrigAll", "AT_EnableTrigUser",   "AT_ReplicaIdentity",    "AT_ValidateConstraint",
      "AT_SetIdentity",   "AT_ForceRowSecurity", "AT_DisableRowSecurity", "AT_NoForceRowSecurity"};
  return std::ranges::find(kinds, subtype) != std::end(kinds);
}

}  // namespace

Result<bool> SchemaReader::add(const Json& statement, const Place& place,
                               const std::vector<std::string>& gaps) {
  const std::string kind = kind_of(statement);
  const Json& body = member(statement, kind.c_str());
  const std::string table = text_of(member(body, "relation"), "relname");
  if (kind == "CreateStmt") {
    ASSAY_TRY(create_table(body, place));
  } else if (kind == "AlterTableStmt") {
    const std::string type = text_of(body, "objtype");
    if (type == "OBJECT_TABLE") alter_table(body, place);
  } else if (kind == "IndexStmt") {
    add_index(body, place);
  } else if (kind == "CreateDomainStmt") {
    add_domain(body, place);
  } else if (kind == "CreateEnumStmt") {
    const std::string name = last_name(member(body, "typeName"));
    schema_.named_types.insert_or_assign(name, "enum " + name);
  } else if (kind == "CreatePolicyStmt") {
    const std::string filtered = text_of(member(body, "table"), "relname");
    if (calls_function(member(body, "qual")) || calls_function(member(body, "with_check")))
      unclear(filtered, place, "a policy that calls functions or queries");
    changes_.push_back({filtered, "AT_EnableRowSecurity", Json(), {}, place});
    notes_.push_back({place, fmt::format("a policy of table {}: any row may be hidden", filtered)});
    return true;
  } else if (kind == "CompositeTypeStmt") {
    names_.insert(text_of(member(body, "typevar"), "relname"));
  } else if (kind == "CreateRangeStmt") {
    names_.insert(last_name(member(body, "typeName")));
  } else if (kind == "CreateExtensionStmt") {
    names_.insert(text_of(body, "extname"));
  } else if (kind == "CreateSeqStmt" || kind == "AlterSeqStmt") {
    names_.insert(text_of(member(body, "sequence"), "relname"));
    sequences_repeat_ |= has_option(member(body, "options"), "cycle");
  } else {
    return is_harmless(kind);
  }
  if (!table.empty())
    for (const std::string& gap : gaps) unclear(table, place, gap);
  return true;
}

// One that is not a built-in function, or a query.
bool SchemaReader::calls_function(const Json& node) const {
  if (!node.is_structured()) return false;
  if (node.is_object()) {
    if (const Json& call = as(node, "FuncCall"); !call.is_null())
      if (is_own(call) || !type_of_function(name_of_function(member(call, "funcname")), Type::Other))
        return true;
    if (!as(node, "SubLink").is_null()) return true;
  }
  return std::ranges::any_of(node, [&](const Json& kid) { return calls_function(kid); });
}

bool SchemaReader::is_own(const Json& call) const {
  return own_functions_.contains(last_name(member(call, "funcname")));
}

void SchemaReader::unclear(const std::string& table, const Place& place, const std::string& what) {
  notes_.push_back(
      {place, fmt::format("{} is not understood: whoever uses table {} may read and write everything", what,
                          table)});
  unclear_.emplace_back(table, what);
}

void SchemaReader::apply_unclear(const std::string& name, const std::string& what) {
  if (Table* table = find(name); table != nullptr && table->unclear.empty()) table->unclear = what;
}

Table* SchemaReader::find(const std::string& name) {
  const auto id = schema_.find(name);
  return id ? &schema_.tables[id->index()] : nullptr;
}

NamedType SchemaReader::resolved(const Json& type_name) const {
  return resolve_type(type_of(type_name), schema_);
}

void SchemaReader::add_domain(const Json& domain, const Place& place) {
  const std::string name = last_name(member(domain, "domainname"));
  schema_.named_types.insert_or_assign(name, resolved(member(domain, "typeName")).declared);
  for (const Json& part : member(domain, "constraints")) {
    const Json& constraint = as(part, "Constraint");
    if (text_of(constraint, "contype") == "CONSTR_DEFAULT")
      domain_defaults_[name] = member(constraint, "raw_expr");
    else if (calls_function(member(constraint, "raw_expr"))) {
      anything_ = fmt::format("a CHECK of domain {} that calls functions", name);
      notes_.push_back(
          {place, anything_ + " is not understood: every program may read and write everything"});
    } else
      notes_.push_back(
          {place,
           fmt::format("domain {}: a constraint may make transactions abort; this is not used", name)});
  }
}

Result<void> SchemaReader::create_table(const Json& create, const Place& place) {
  Table table{.name = text_of(member(create, "relation"), "relname"), .columns = {}, .place = place};
  std::string in = text_of(member(create, "relation"), "schemaname");
  if (in == "public") in.clear();
  schemas_.try_emplace(table.name, in);
  if (schema_.find(table.name) || schema_.partitions.contains(table.name)) {
    if (schemas_.at(table.name) != in || gone_.contains(table.name)) {
      ambiguous_.insert(table.name);
      unclear(table.name, place, "another table with this name");
      return {};
    }
    if (flag_of(create, "if_not_exists")) return {};
    return error_at(place, fmt::format("table {} exists already", table.name), "give each table once");
  }
  if (const Json& by = member(create, "partspec"); !by.is_null())
    partitioned_.insert_or_assign(table.name, member(by, "partParams"));
  const Json& parents = member(create, "inhRelations");
  if (!member(create, "partbound").is_null() && parents.size() == 1) {
    if (!add_partition(table.name, text_of(as(parents[0], "RangeVar"), "relname"), place)) return {};
    for (const Json& element : member(create, "tableElts"))
      if (!as(element, "Constraint").is_null() || !as(element, "ColumnDef").is_null())
        unclear(table.name, place, "a partition with columns or constraints of its own");
    return {};
  }
  for (const Json& parent : parents) {
    unclear(table.name, place, "INHERITS");
    unclear(text_of(as(parent, "RangeVar"), "relname"), place, "INHERITS");
    copy_columns(text_of(as(parent, "RangeVar"), "relname"), table);
  }
  for (const Json& element : member(create, "tableElts")) {
    if (const Json& column = as(element, "ColumnDef"); !column.is_null()) {
      ASSAY_TRY(add_column(table, column, place));
    } else if (const Json& constraint = as(element, "Constraint"); !constraint.is_null()) {
      changes_.push_back(
          {table.name, text_of(constraint, "contype"), constraint, constrained_columns(constraint), place});
    } else {
      unclear(table.name, place, kind_of(element));
      copy_columns(text_of(member(as(element, "TableLikeClause"), "relation"), "relname"), table);
    }
  }
  if (table.columns.empty() && parents.is_null())
    return error_at(place, fmt::format("table {} has no columns", table.name), "list its columns");
  schema_.tables.push_back(std::move(table));
  return {};
}

// Of LIKE and INHERITS, so that programs can name them; what else the new table has of the other is unclear.
void SchemaReader::copy_columns(const std::string& from, Table& to) {
  if (const Table* other = find(from))
    for (const Column& column : other->columns)
      if (!to.find(column.name)) to.columns.push_back(column);
}

// Constants and sequences are values; whatever else there is, is calculated by whoever inserts.
void SchemaReader::set_default(Table& table, Column& column, const Json& node, bool generated,
                               const Place& place) {
  column.fallback = nullptr;
  column.calculated = generated;
  formulas_.erase({table.name, column.name});
  const NamedType type = resolve_type(type_of(column.declared), schema_);
  const Json& cast = as(node, "TypeCast");
  const Json& value = cast.is_null() ? as(node, "A_Const") : as(member(cast, "arg"), "A_Const");
  if (!value.is_null() && !generated) {
    if (flag_of(value, "isnull")) return;
    const bool same_type =
        cast.is_null() ||
        base_type(resolved(member(cast, "typeName")).declared) == base_type(column.declared) ||
        type.type == Type::Text;
    if (const Json& word = member(value, "sval"); !word.is_null() && same_type) {
      column.fallback = literal(type, text_of(word, "sval"));
      return;
    }
    if (cast.is_null()) {
      const Json& whole = member(value, "ival");  // the tree leaves out zero, and negative numbers too
      if (!whole.is_null() && number_of(whole, "ival") > 0)
        column.fallback = converted(constant(number_of(whole, "ival")), type, Conversion::Assignment);
      else if (const Json& number = member(value, "fval"); !number.is_null())
        column.fallback =
            converted(constant(Type::Decimal, text_of(number, "fval")), type, Conversion::Assignment);
      else if (const Json& truth = member(value, "boolval"); !truth.is_null())
        column.fallback = constant(type.type, flag_of(truth, "boolval") ? "true" : "false");
      if (!column.fallback && !whole.is_null()) column.fallback = unknown(type.type);
      if (column.fallback) return;
    }
  }
  const std::string function = name_of_function(member(as(node, "FuncCall"), "funcname"));
  if (gives_fresh_values(function) && !is_own(as(node, "FuncCall")) && !generated) {
    const std::string source = fresh_source(function, member(as(node, "FuncCall"), "args"));
    if (!source.empty()) {
      column.fallback = make_fresh(type.type, source);
      return;
    }
  }
  column.fallback = unknown(type.type);
  formulas_.insert_or_assign({table.name, column.name}, ColumnFormula{node, generated, place});
}

Result<void> SchemaReader::add_column(Table& table, const Json& definition, const Place& place) {
  const NamedType named = resolved(member(definition, "typeName"));
  Column column{text_of(definition, "colname"), named.is_set ? Type::Other : named.type, !named.serial,
                named.declared, nullptr};
  const std::string own_sequence = fmt::format("{}_{}_seq", table.name, column.name);
  names_.insert(own_sequence);
  if (named.serial) column.fallback = make_fresh(named.type, own_sequence);
  if (const Json& collation = member(definition, "collClause"); !collation.is_null())
    column.declared = collated(column.declared, last_name(member(collation, "collname")));
  if (table.find(column.name))
    return error_at(place, fmt::format("column {} of table {} stands twice", column.name, table.name));
  const std::string type = last_name(member(member(definition, "typeName"), "names"));
  if (const auto domain = domain_defaults_.find(type); domain != domain_defaults_.end())
    set_default(table, column, domain->second, false, place);
  for (const Json& part : member(definition, "constraints")) {
    const Json& constraint = as(part, "Constraint");
    const std::string kind = text_of(constraint, "contype");
    if (kind == "CONSTR_NOTNULL") column.nullable = false;
    else if (kind == "CONSTR_DEFAULT")
      set_default(table, column, member(constraint, "raw_expr"), false, place);
    else if (kind == "CONSTR_GENERATED")
      set_default(table, column, member(constraint, "raw_expr"), true, place);
    else if (kind == "CONSTR_IDENTITY") {
      column.fallback = make_fresh(column.type, own_sequence), column.nullable = false;
      sequences_repeat_ |= has_option(member(constraint, "options"), "cycle");
    } else if (kind != "CONSTR_NULL") {
      changes_.push_back({table.name, kind, constraint, {column.name}, place});
    }
  }
  table.columns.push_back(std::move(column));
  return {};
}

void SchemaReader::add_index(const Json& index, const Place& place) {
  const std::string name = text_of(index, "idxname");
  if (flag_of(index, "if_not_exists") && (knows(name) || plain_indexes_.contains(name))) return;
  if (!flag_of(index, "unique")) {
    plain_indexes_.insert(name);
    return;
  }
  unnamed_indexes_ |= name.empty();
  Json constraint{{"contype", "CONSTR_UNIQUE"}, {"conname", text_of(index, "idxname")}};
  auto columns = index_columns(member(index, "indexParams"));
  // A unique index over some of the rows, or over expressions, is no key.
  if (!member(index, "whereClause").is_null() || std::ranges::count(columns, "") > 0) {
    constraint["contype"] = "CONSTR_EXCLUSION";
    constraint["indexParams"] = member(index, "indexParams");
    constraint["where_clause"] = member(index, "whereClause");
    columns.clear();
    collect_columns(member(index, "indexParams"), columns);
    collect_columns(member(index, "whereClause"), columns);
    std::erase(columns, "");
  }
  if (flag_of(index, "nulls_not_distinct")) constraint["contype"] = "CONSTR_EXCLUSION";
  changes_.push_back({text_of(member(index, "relation"), "relname"), text_of(constraint, "contype"),
                      std::move(constraint), std::move(columns), place,
                      !flag_of(member(index, "relation"), "inh")});
}

void SchemaReader::alter_table(const Json& alter, const Place& place) {
  const std::string table = text_of(member(alter, "relation"), "relname");
  for (const Json& part : member(alter, "cmds")) {
    const Json& command = as(part, "AlterTableCmd");
    const std::string subtype = text_of(command, "subtype");
    const Json& constraint = as(member(command, "def"), "Constraint");
    if (subtype == "AT_SetIdentity")
      sequences_repeat_ |= has_option(member(as(member(command, "def"), "List"), "items"), "cycle");
    if (is_about_storage(subtype)) continue;
    if (subtype == "AT_AddConstraint" && !text_of(constraint, "indexname").empty())
      add_key_by_index(table, constraint, place);
    else if (subtype == "AT_AddConstraint")
      changes_.push_back({table, text_of(constraint, "contype"), constraint, constrained_columns(constraint),
                          place, !flag_of(member(alter, "relation"), "inh")});
    else if (subtype == "AT_AttachPartition")
      attach(text_of(member(as(member(command, "def"), "PartitionCmd"), "name"), "relname"), table, place);
    else changes_.push_back({table, subtype, command, {}, place, !flag_of(member(alter, "relation"), "inh")});
  }
}

// ADD PRIMARY KEY USING INDEX: the index was made before, and says which columns are meant.
void SchemaReader::add_key_by_index(const std::string& table, const Json& constraint, const Place& place) {
  const auto index = std::ranges::find_if(changes_, [&](const Change& other) {
    return other.table == table && other.kind == "CONSTR_UNIQUE" &&
           text_of(other.node, "conname") == text_of(constraint, "indexname");
  });
  if (index == changes_.end()) return unclear(table, place, "a key by an index that is not in the files");
  const std::vector<std::string> columns = index->columns;
  changes_.push_back({table, text_of(constraint, "contype"), constraint, columns, place});
}

std::vector<ColumnId> SchemaReader::columns_in(const Table& table, const Json& node) const {
  std::vector<std::string> names;
  collect_columns(node, names);
  std::vector<ColumnId> columns;
  for (const std::string& name : names)
    if (const auto column = table.find(name)) columns.push_back(*column);
  return columns;
}

Result<void> SchemaReader::apply(const Change& change) {
  Table* table = find(change.table);
  if (table == nullptr) {
    if (change.kind.starts_with("AT_")) return {};  // of an index, a sequence or a view
    return error_at(change.place, fmt::format("there is no table {}", change.table), "add its CREATE TABLE");
  }
  if (ambiguous_.contains(change.table)) return {};
  if (schema_.partitions.contains(change.table)) return partition_constraint(change);
  if (change.kind.starts_with("AT_")) return alter_column(*table, change);
  std::vector<ColumnId> columns;
  for (const std::string& name : change.columns) {
    const auto column = table->find(name);
    if (!column) return error_at(change.place, fmt::format("table {} has no column {}", change.table, name));
    columns.push_back(*column);
  }
  std::string name = text_of(change.node, "conname");
  if (name.empty())
    name = change.kind == "CONSTR_PRIMARY"
               ? change.table + "_pkey"
               : fmt::format("{}_{}_{}", change.table, fmt::join(change.columns, "_"),
                             change.kind == "CONSTR_UNIQUE"    ? "key"
                             : change.kind == "CONSTR_FOREIGN" ? "fkey"
                                                               : "check");
  named_.push_back({change.table, name, change.kind, change.columns});
  return apply_constraint(*table, change, std::move(columns));
}

Result<void> SchemaReader::apply_constraint(Table& table, const Change& change,
                                            std::vector<ColumnId> columns) {
  if (change.kind == "CONSTR_PRIMARY") {
    if (!table.primary_key.empty())
      return error_at(change.place, fmt::format("table {} has two primary keys", change.table));
    for (const ColumnId column : columns) table.columns[column.index()].nullable = false;
    table.primary_key = std::move(columns);
  } else if (change.kind == "CONSTR_UNIQUE") {
    if (flag_of(change.node, "nulls_not_distinct")) table.loose_keys.push_back(std::move(columns));
    else table.unique.push_back(std::move(columns));
  } else if (change.kind == "CONSTR_CHECK" || change.kind == "CONSTR_EXCLUSION") {
    const bool check = change.kind == "CONSTR_CHECK";
    if (calls_function(change.node))
      unclear(table.name, change.place,
              check ? "a CHECK that calls functions" : "an EXCLUDE that calls functions");
    if (!check) {
      const auto named = columns_in(table, change.node);
      columns.insert(columns.end(), named.begin(), named.end());
      table.loose_keys.push_back(std::move(columns));
      keep_row_key(change);
    }
    const std::string says =
        check ? "a CHECK constraint may make transactions abort; this is not used"
              : "an EXCLUDE constraint is used only where a program looks for what it keeps apart";
    if (check || !member(change.node, "exclusions").is_null())
      notes_.push_back({change.place, fmt::format("table {}: {}", change.table, says)});
  }
  return {};
}

void SchemaReader::keep_row_key(const Change& change) {
  if (change.only || partitioned_.contains(change.table)) return;
  RowKeyText key{change.table, {}, member(change.node, "where_clause"), change.place};
  for (const Json& element : member(change.node, "indexParams")) key.parts.push_back({element, "="});
  for (const Json& pair : member(change.node, "exclusions")) {
    const Json& items = member(as(pair, "List"), "items");
    if (items.size() != 2) return;
    key.parts.push_back({items[0], last_name(member(as(items[1], "List"), "items"))});
  }
  if (!key.parts.empty()) row_keys_.push_back(std::move(key));
}

Result<void> SchemaReader::alter_column(Table& table, const Change& change) {
  const Json& definition = member(change.node, "def");
  const std::string name = text_of(change.node, "name");
  if (change.kind == "AT_AddColumn") {
    const Json& added = as(definition, "ColumnDef");
    if (table.find(text_of(added, "colname"))) return {};
    const std::size_t before = changes_.size();
    Table copy = table;  // constraints of the column are applied at once
    ASSAY_TRY(add_column(copy, added, change.place));
    *find(change.table) = std::move(copy);
    const std::vector<Change> more(changes_.begin() + static_cast<std::ptrdiff_t>(before), changes_.end());
    for (const Change& constraint : more)
      if (constraint.kind != "CONSTR_FOREIGN") ASSAY_TRY(apply(constraint));
    return {};
  }
  if (change.kind == "AT_EnableRowSecurity") return table.filtered = true, Result<void>();
  if (change.kind == "AT_DropConstraint") return drop_constraint(table, change), Result<void>();
  const auto id = table.find(name);
  if (!id) {
    unclear(table.name, change.place, change.kind + (name.empty() ? "" : " of " + name));
    return {};
  }
  Column& column = table.columns[id->index()];
  if (change.kind == "AT_ColumnDefault") {
    if (definition.is_null()) column.fallback = nullptr, formulas_.erase({table.name, column.name});
    else set_default(table, column, definition, false, change.place);
  } else if (change.kind == "AT_AddIdentity") {
    column.fallback = make_fresh(column.type, fmt::format("{}_{}_seq", table.name, column.name));
    column.nullable = false;
    sequences_repeat_ |= has_option(member(as(definition, "Constraint"), "options"), "cycle");
  } else if (change.kind == "AT_DropNotNull") {
    column.nullable = true;
  } else if (change.kind == "AT_SetNotNull") {
    column.nullable = false;
  } else if (change.kind == "AT_AlterColumnType") {
    const Json& typed_column = as(definition, "ColumnDef");
    const NamedType type = resolved(member(typed_column, "typeName"));
    column.type = type.is_set ? Type::Other : type.type;
    column.declared = type.declared;
    if (const Json& collation = member(typed_column, "collClause"); !collation.is_null())
      column.declared = collated(column.declared, last_name(member(collation, "collname")));
    if (column.fallback && column.fallback->kind != Expression::Kind::Fresh)
      column.fallback = unknown(column.type);
  } else {  // also AT_DropColumn: numbers of columns would change
    unclear(table.name, change.place, change.kind + " of " + name);
  }
  return {};
}

void SchemaReader::drop_constraint(Table& table, const Change& change) {
  const std::string name = text_of(change.node, "name");
  const auto found = std::ranges::find_if(
      named_, [&](const NamedConstraint& c) { return c.table == change.table && c.name == name; });
  if (found == named_.end()) return unclear(table.name, change.place, "DROP CONSTRAINT " + name);
  std::vector<ColumnId> columns;
  for (const std::string& column : found->columns)
    if (const auto id = table.find(column)) columns.push_back(*id);
  if (found->kind == "CONSTR_PRIMARY") {
    table.primary_key.clear();
  } else if (found->kind == "CONSTR_UNIQUE") {
    std::erase(table.unique, columns);
  } else if (found->kind == "CONSTR_FOREIGN") {
    std::erase_if(changes_, [&](const Change& other) {
      return other.kind == "CONSTR_FOREIGN" && other.table == change.table && other.columns == found->columns;
    });
  } else if (found->kind == "CONSTR_EXCLUSION") {
    std::erase_if(row_keys_, [&](const RowKeyText& key) { return key.table == change.table; });
  }  // what else there is only keeps more apart
  named_.erase(found);
}

Result<void> SchemaReader::add_reference(const Change& change) {
  Table* table = find(change.table);
  if (table == nullptr || schema_.partitions.contains(change.table)) return {};
  const std::string target = text_of(member(change.node, "pktable"), "relname");
  if (ambiguous_.contains(change.table) || ambiguous_.contains(target)) return {};
  const auto found = schema_.find(target);
  if (!found)
    return error_at(change.place, fmt::format("there is no table {}", target), "add its CREATE TABLE");
  const std::string on_delete = text_of(change.node, "fk_del_action");
  const std::string on_update = text_of(change.node, "fk_upd_action");
  const auto is = [](const std::string& action, std::string_view kinds) {
    return !action.empty() && kinds.find(action) != kinds.npos;
  };
  ForeignKey key{.columns = {},
                 .target = *found,
                 .target_columns = {},
                 .cascades = on_delete == "c",
                 .sets = is(on_delete, "nd"),
                 .follows = is(on_update, "cnd")};
  for (const std::string& name : change.columns)
    if (const auto column = table->find(name)) key.columns.push_back(*column);
  for (const std::string& name : names_of(member(change.node, "pk_attrs"))) {
    const auto column = schema_[*found].find(name);
    if (!column) return error_at(change.place, fmt::format("table {} has no column {}", target, name));
    key.target_columns.push_back(*column);
  }
  if (key.target_columns.empty()) key.target_columns = schema_[*found].primary_key;
  if (key.target_columns.size() != key.columns.size())
    return error_at(change.place,
                    fmt::format("a foreign key of table {} does not fit the key of {}", table->name, target));
  table->foreign_keys.push_back(std::move(key));
  return {};
}

Result<Schema> SchemaReader::finish() {
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change change = changes_[i];  // a change may bring others, and take some away
    ASSAY_TRY(apply(change));
  }
  // A foreign key may mean the primary key of its target without naming columns, so these come last.
  for (const Change& change : changes_)
    if (change.kind == "CONSTR_FOREIGN") ASSAY_TRY(add_reference(change));
  check_partitions();
  check_partial_keys();
  find_partition_keys();
  for (const auto& [table, what] : unclear_) apply_unclear(table, what);
  for (const std::string& name : seeded_)
    if (Table* table = find(name)) table->seeded = true;
  return schema_;
}

// Of the table and of its partitions, which may be partitioned again.
void SchemaReader::find_partition_keys() {
  for (const auto& [name, parameters] : partitioned_) {
    Table* const table = find(name);
    if (table == nullptr) continue;
    std::vector<std::string> names;
    collect_columns(parameters, names);
    for (const Json& part : parameters) names.push_back(text_of(as(part, "PartitionElem"), "name"));
    for (const std::string& column : names)
      if (const auto id = table->find(column)) table->partitioned_by.push_back(*id);
  }
}

bool SchemaReader::knows(const std::string& name) const {
  return schema_.find(name).has_value() || schema_.named_types.contains(name) || names_.contains(name) ||
         std::ranges::any_of(changes_, [&](const Change& c) { return text_of(c.node, "conname") == name; });
}

ColumnFormulas SchemaReader::formulas() {
  ColumnFormulas result;
  for (auto& [where, formula] : formulas_)
    if (const auto table =
            schema_.partitions.contains(where.first) ? std::nullopt : schema_.find(where.first))
      if (const auto column = schema_[*table].find(where.second))
        result.emplace(std::pair(*table, *column), std::move(formula));
  return result;
}

}  // namespace assay::sql

#include "sql/understood.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace assay::sql {
namespace {

// `fields` are words: `name`, any value; `name=A|B`, these values only; `name:Kind`, a node without its kind.
// `*` stands for all fields: of a statement that is harmless as a whole.
struct Row {
  std::string_view kind, fields;
};

constexpr auto kRows = std::to_array<Row>({
    // Literals and names.
    {"A_Const", "ival:Integer fval:Float boolval:Boolean sval:String isnull location"},
    {"Integer", "ival"},
    {"Float", "fval"},
    {"Boolean", "boolval"},
    {"String", "sval"},
    {"A_Star", ""},
    {"List", "items"},
    {"ColumnRef", "fields location"},
    {"ParamRef", "number location"},
    {"TypeName", "names typeOid setof pct_type typmods typemod arrayBounds location"},
    {"Alias", "aliasname colnames"},

    // Expressions.
    {"A_Expr",
     "kind=AEXPR_OP|AEXPR_OP_ANY|AEXPR_OP_ALL|AEXPR_DISTINCT|AEXPR_NOT_DISTINCT|AEXPR_NULLIF|AEXPR_IN|"
     "AEXPR_LIKE|AEXPR_ILIKE|AEXPR_SIMILAR|AEXPR_BETWEEN|AEXPR_NOT_BETWEEN|AEXPR_BETWEEN_SYM|"
     "AEXPR_NOT_BETWEEN_SYM name lexpr rexpr location"},
    {"BoolExpr", "boolop=AND_EXPR|OR_EXPR|NOT_EXPR args location"},
    {"NullTest", "arg nulltesttype=IS_NULL|IS_NOT_NULL location"},
    {"BooleanTest",
     "arg booltesttype=IS_TRUE|IS_NOT_TRUE|IS_FALSE|IS_NOT_FALSE|IS_UNKNOWN|IS_NOT_UNKNOWN location"},
    {"CaseExpr", "arg args defresult location"},
    {"CaseWhen", "expr result location"},
    {"CoalesceExpr", "args location"},
    {"MinMaxExpr", "op=IS_GREATEST|IS_LEAST args location"},
    {"SubLink",
     "subLinkType=EXISTS_SUBLINK|ALL_SUBLINK|ANY_SUBLINK|EXPR_SUBLINK|ARRAY_SUBLINK testexpr operName "
     "subselect location"},
    {"A_Indirection", "arg indirection"},
    {"A_Indices", "is_slice lidx uidx"},
    {"SQLValueFunction", "op typmod location"},
    {"CollateClause", "arg collname location"},
    {"TypeCast", "arg typeName:TypeName location"},
    {"FuncCall",
     "funcname args agg_order agg_filter over:WindowDef agg_star agg_distinct funcformat location"},
    {"NamedArgExpr", "arg name argnumber location"},
    {"WindowDef", "partitionClause orderClause frameOptions startOffset endOffset location"},
    {"A_ArrayExpr", "elements location"},
    {"RowExpr", "args row_format location"},
    {"SetToDefault", "location"},
    {"MultiAssignRef", "source colno ncolumns"},

    // Queries.
    {"SelectStmt",
     "distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause valuesLists "
     "sortClause limitOffset limitCount limitOption=LIMIT_OPTION_DEFAULT|LIMIT_OPTION_COUNT lockingClause "
     "withClause:WithClause op=SETOP_NONE|SETOP_UNION|SETOP_INTERSECT|SETOP_EXCEPT all larg:SelectStmt "
     "rarg:SelectStmt"},
    {"ResTarget", "name indirection val location"},
    {"RangeVar", "schemaname relname inh relpersistence=p alias:Alias location"},
    {"RangeSubselect", "lateral subquery alias:Alias"},
    {"RangeFunction", "lateral ordinality functions alias:Alias"},
    {"JoinExpr", "jointype=JOIN_INNER|JOIN_LEFT|JOIN_RIGHT|JOIN_FULL isNatural larg rarg usingClause quals"},
    {"SortBy", "node sortby_dir=SORTBY_DEFAULT|SORTBY_ASC|SORTBY_DESC sortby_nulls location"},
    {"LockingClause",
     "lockedRels strength=LCS_FORUPDATE|LCS_FORNOKEYUPDATE|LCS_FORSHARE|LCS_FORKEYSHARE "
     "waitPolicy=LockWaitBlock|LockWaitSkip|LockWaitError"},
    {"WithClause", "ctes recursive location"},
    {"CommonTableExpr", "ctename aliascolnames ctematerialized ctequery location"},

    // Changes.
    {"InsertStmt",
     "relation:RangeVar cols selectStmt onConflictClause:OnConflictClause returningList "
     "withClause:WithClause override=OVERRIDING_NOT_SET|OVERRIDING_SYSTEM_VALUE"},
    {"OnConflictClause",
     "action=ONCONFLICT_NOTHING|ONCONFLICT_UPDATE infer:InferClause targetList whereClause location"},
    {"InferClause", "indexElems whereClause conname location"},
    {"IndexElem", "name expr indexcolname collation opclass opclassopts ordering nulls_ordering"},
    {"UpdateStmt", "relation:RangeVar targetList whereClause fromClause returningList withClause:WithClause"},
    {"DeleteStmt", "relation:RangeVar usingClause whereClause returningList withClause:WithClause"},
    {"CallStmt", "funccall:FuncCall"},
    {"LockStmt", "relations mode nowait"},
    {"ReturnStmt", "returnval"},

    // The schema.
    {"CreateStmt",
     "relation:RangeVar tableElts partbound:PartitionBoundSpec partspec:PartitionSpec inhRelations options "
     "oncommit=ONCOMMIT_NOOP tablespacename accessMethod if_not_exists"},
    {"ColumnDef",
     "colname typeName:TypeName compression is_local location collClause:CollateClause constraints storage"},
    {"Constraint",
     "contype=CONSTR_NULL|CONSTR_NOTNULL|CONSTR_DEFAULT|CONSTR_IDENTITY|CONSTR_GENERATED|CONSTR_CHECK|"
     "CONSTR_PRIMARY|CONSTR_UNIQUE|CONSTR_EXCLUSION|CONSTR_FOREIGN "
     "conname location is_no_inherit raw_expr generated_when keys including exclusions options indexname "
     "indexspace access_method where_clause pktable:RangeVar fk_attrs pk_attrs fk_matchtype=s "
     "fk_upd_action=a|r|c|n|d fk_del_action=a|r|c|n|d fk_del_set_cols skip_validation initially_valid "
     "nulls_not_distinct"},
    {"PartitionSpec", "strategy partParams location"},
    {"PartitionElem", "name expr collation opclass location"},
    {"PartitionBoundSpec",
     "strategy is_default modulus remainder listdatums lowerdatums upperdatums location"},
    {"PartitionRangeDatum", "kind value location"},
    {"PartitionCmd", "name:RangeVar bound:PartitionBoundSpec concurrent"},
    {"AlterTableStmt",
     "relation:RangeVar cmds objtype=OBJECT_TABLE|OBJECT_INDEX|OBJECT_SEQUENCE|OBJECT_VIEW|OBJECT_MATVIEW "
     "missing_ok"},
    {"AlterTableCmd",
     "subtype=AT_AddColumn|AT_ColumnDefault|AT_DropNotNull|AT_SetNotNull|AT_SetStatistics|AT_SetOptions|"
     "AT_ResetOptions|AT_SetStorage|AT_SetCompression|AT_DropColumn|AT_AddConstraint|AT_ValidateConstraint|"
     "AT_DropConstraint|AT_AlterColumnType|AT_ChangeOwner|AT_ClusterOn|AT_DropCluster|"
     "AT_SetLogged|AT_SetUnLogged|AT_SetAccessMethod|AT_SetTableSpace|AT_SetRelOptions|AT_ResetRelOptions|"
     "AT_ReplaceRelOptions|AT_ReplicaIdentity|AT_EnableRowSecurity|AT_DisableRowSecurity|AT_ForceRowSecurity|"
     "AT_NoForceRowSecurity|AT_AttachPartition|AT_AddIdentity|AT_SetIdentity|AT_EnableTrig|AT_EnableTrigAll|"
     "AT_EnableTrigUser "
     "name num newowner:RoleSpec def behavior missing_ok recurse"},
    {"RoleSpec", "roletype rolename location"},
    {"ReplicaIdentityStmt", "identity_type name"},
    {"IndexStmt",
     "idxname relation:RangeVar accessMethod tableSpace indexParams indexIncludingParams options whereClause "
     "unique nulls_not_distinct primary isconstraint concurrent if_not_exists"},
    {"ViewStmt", "view:RangeVar aliases query replace options withCheckOption"},
    {"CreateTableAsStmt", "query into:IntoClause objtype=OBJECT_MATVIEW if_not_exists"},
    {"IntoClause", "rel:RangeVar colNames accessMethod options onCommit tableSpaceName skipData"},
    {"CreateTrigStmt",
     "replace trigname relation:RangeVar funcname args row timing events columns whenClause"},
    {"CreateFunctionStmt", "is_procedure replace funcname parameters returnType:TypeName options sql_body"},
    {"FunctionParameter",
     "name argType:TypeName defexpr "
     "mode=FUNC_PARAM_IN|FUNC_PARAM_OUT|FUNC_PARAM_INOUT|FUNC_PARAM_TABLE|FUNC_PARAM_DEFAULT"},
    {"DefElem", "defnamespace defname arg defaction location"},
    {"CreatePolicyStmt", "policy_name table:RangeVar cmd_name permissive roles qual with_check"},
    {"CreateDomainStmt", "domainname typeName:TypeName collClause:CollateClause constraints"},
    {"CreateEnumStmt", "typeName vals"},
    {"CreateSeqStmt", "sequence:RangeVar options for_identity if_not_exists"},
    {"AlterSeqStmt", "sequence:RangeVar options for_identity missing_ok"},

    // Nothing that transactions read or write depends on these.
    {"CommentStmt", "*"},
    {"SecLabelStmt", "*"},
    {"GrantStmt", "*"},
    {"GrantRoleStmt", "*"},
    {"AlterDefaultPrivilegesStmt", "*"},
    {"AlterOwnerStmt", "*"},
    {"CreateRoleStmt", "*"},
    {"AlterRoleStmt", "*"},
    {"AlterRoleSetStmt", "*"},
    {"DropRoleStmt", "*"},
    {"CreateSchemaStmt", "schemaname authrole:RoleSpec if_not_exists"},
    {"CreateTableSpaceStmt", "*"},
    {"CreatedbStmt", "*"},
    {"AlterDatabaseStmt", "*"},
    {"AlterDatabaseSetStmt", "*"},
    {"VariableSetStmt", "*"},
    {"VariableShowStmt", "*"},
    {"TransactionStmt", "*"},
    {"VacuumStmt", "*"},
    {"VacuumRelation", "*"},
    {"ReindexStmt", "*"},
    {"ClusterStmt", "*"},
    {"CheckPointStmt", "*"},
    {"CreateStatsStmt", "*"},
    {"AlterStatsStmt", "*"},
    {"CreatePublicationStmt", "*"},
    {"AlterPublicationStmt", "*"},
    {"CreateSubscriptionStmt", "*"},
    {"AlterSubscriptionStmt", "*"},
    {"DropSubscriptionStmt", "*"},
    {"CreateExtensionStmt", "*"},
    {"ListenStmt", "*"},
    {"UnlistenStmt", "*"},
    {"NotifyStmt", "*"},
    {"DiscardStmt", "*"},
    {"LoadStmt", "*"},
    {"CompositeTypeStmt", "*"},
    {"CreateRangeStmt", "*"},
    {"AlterEnumStmt", "*"},
    {"CreateEventTrigStmt", "*"},
    {"AlterEventTrigStmt", "*"},
    {"CreateFdwStmt", "*"},
    {"AlterFdwStmt", "*"},
    {"CreateForeignServerStmt", "*"},
    {"AlterForeignServerStmt", "*"},
    {"CreateUserMappingStmt", "*"},
    {"AlterUserMappingStmt", "*"},
    {"DropUserMappingStmt", "*"},
    {"CreatePLangStmt", "*"},
    {"AlterSystemStmt", "*"},
    {"AlterExtensionStmt", "*"},
    {"RefreshMatViewStmt", "*"},
    {"TruncateStmt", "*"},
});

struct Field {
  std::string_view kind;                 // of a node that stands without it
  std::vector<std::string_view> values;  // empty: any
};

std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

using Fields = std::map<std::string_view, Field>;

Fields fields_of(std::string_view row) {
  Fields fields;
  for (const std::string_view word : pieces(row, ' ')) {
    const auto mark = word.find_first_of("=:");
    Field field;
    if (mark != word.npos && word[mark] == ':') field.kind = word.substr(mark + 1);
    if (mark != word.npos && word[mark] == '=') field.values = pieces(word.substr(mark + 1), '|');
    fields.emplace(word.substr(0, mark), std::move(field));
  }
  return fields;
}

const std::map<std::string_view, Fields>& table() {
  static const auto rows = [] {
    std::map<std::string_view, Fields> all;
    for (const Row& row : kRows) all.emplace(row.kind, fields_of(row.fields));
    return all;
  }();
  return rows;
}

class Comparison {
 public:
  std::vector<std::string> gaps;

  void body(std::string_view kind, const Json& inside) {
    const auto row = table().find(kind);
    if (row == table().end()) return gap(std::string(kind));
    if (row->second.contains("*")) return;
    if (!inside.is_object()) return gap(std::string(kind));
    for (const auto& [name, value] : inside.items()) {
      const auto field = row->second.find(name);
      if (field == row->second.end()) {
        gap(fmt::format("{}.{}", kind, name));
      } else if (!field->second.values.empty()) {
        const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
        if (!std::ranges::count(field->second.values, word)) gap(fmt::format("{}.{} {}", kind, name, word));
      } else if (!field->second.kind.empty()) {
        body(field->second.kind, value);
      } else {
        node(value, kind);
      }
    }
  }

  // A node with its kind, a list of such, or a plain value.
  void node(const Json& value, std::string_view around) {
    if (value.is_array())
      for (const Json& part : value) node(part, around);
    if (!value.is_object() || value.empty()) return;  // an empty node is a NULL in a list
    if (value.size() != 1) return gap(fmt::format("{} with an unknown part", around));
    body(value.begin().key(), *value.begin());
  }

 private:
  void gap(std::string what) {
    if (!std::ranges::count(gaps, what)) gaps.push_back(std::move(what));
  }
};

}  // namespace

std::vector<std::string> gaps_in(const Json& tree) {
  Comparison comparison;
  comparison.node(tree, "a statement");
  return std::move(comparison.gaps);
}

std::vector<std::string> gaps_in(const Json& inside, std::string_view kind) {
  Comparison comparison;
  comparison.body(kind, inside);
  return std::move(comparison.gaps);
}

bool has_kind(std::string_view kind) { return table().contains(kind); }

bool is_harmless(std::string_view kind) {
  const auto row = table().find(kind);
  return (row != table().end() && row->second.contains("*")) || kind == "CreateSchemaStmt";
}

}  // namespace assay::sql

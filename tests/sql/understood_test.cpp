// Nothing of a parse tree is dropped in silence: every kind of node and every subcommand of ALTER TABLE that
// PostgreSQL's parser knows, by the list that the library comes with, is modelled or noted.
#include "sql/understood.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "sql/pg_parser.h"
#include "sql/support.h"

namespace assay::sql {
namespace {

using test::application;
using test::notes_of;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string definitions_of_nodes() {
  std::ifstream file("/usr/include/pg_query/pg_query.proto");
  EXPECT_TRUE(file) << "libpg-query-dev has it";
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string part_named(const std::string& text, const std::string& heading) {
  const auto start = text.find("\n" + heading);
  EXPECT_NE(start, std::string::npos) << heading;
  return text.substr(start, text.find("\n}", start) - start);
}

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    all.insert((*it)[1]);
  return all;
}

TEST(UnderstoodTable, NamesOnlyWhatTheParserHas) {
  const std::string proto = definitions_of_nodes();
  const auto kinds = matches(part_named(proto, "message Node"), "json_name=\"(\\w+)\"");
  ASSERT_GT(kinds.size(), 200u);
  for (const std::string& kind : kinds) {
    const auto gaps = gaps_in(Json{{kind, Json{{"no such field", 1}}}});
    if (!has_kind(kind)) {
      EXPECT_THAT(gaps, Contains(kind));
    } else if (!is_harmless(kind) || kind == "CreateSchemaStmt") {
      EXPECT_THAT(gaps, Contains(kind + ".no such field"));
    }
  }
}

TEST(UnderstoodTable, LooksIntoEveryNodeBelow) {
  EXPECT_THAT(gaps_in(*parse_sql("SELECT 1 FROM t WHERE a IN (SELECT b FROM u TABLESAMPLE system (1))")),
              Not(IsEmpty()));
  const Json tree =
      (*parse_sql("SELECT (SELECT max(b) FROM u, XMLTABLE('/r' PASSING d COLUMNS a int))"))[0]["stmt"];
  EXPECT_THAT(gaps_in(tree), Contains("RangeTableFunc"));
  const Json plain =
      (*parse_sql("SELECT a, count(*) FROM t JOIN u USING (k) WHERE b > 1 GROUP BY a"))[0]["stmt"];
  EXPECT_THAT(gaps_in(plain), IsEmpty());
}

TEST(UnderstoodTable, StatementsOfProgramsThatItDoesNotHaveMayDoAnything) {
  const std::string table = "CREATE TABLE t (id int PRIMARY KEY, n int);\n-- transaction: p\n";
  for (const char* statement : {"MERGE INTO t USING t AS s ON t.id = s.id WHEN MATCHED THEN DELETE;",
                                "TRUNCATE t;",
                                "COPY t FROM STDIN;",
                                "DO $$BEGIN UPDATE t SET n = 1; END$$;",
                                "REFRESH MATERIALIZED VIEW t;",
                                "SET x = 1;",
                                "DECLARE c CURSOR FOR SELECT 1;",
                                "FETCH c;",
                                "EXECUTE x;",
                                "PREPARE x AS SELECT 1;",
                                "EXPLAIN ANALYZE DELETE FROM t;",
                                "ALTER TABLE t ADD x int;",
                                "DROP TABLE t;",
                                "SELECT n INTO u FROM t;",
                                "SELECT * FROM t TABLESAMPLE system (1);",
                                "SELECT xmlelement(name a) FROM t;",
                                "SELECT GROUPING(n) FROM t GROUP BY CUBE (n);",
                                "UPDATE t SET n = 1 WHERE CURRENT OF c;",
                                "SELECT n FROM t ORDER BY n USING <;",
                                "SELECT n FROM t ORDER BY n FETCH FIRST 1 ROW WITH TIES;",
                                "SELECT f(VARIADIC ARRAY[1]) FROM t;"}) {
    const Application read = application(table + statement);
    ASSERT_EQ(read.programs.size(), 1u);
    EXPECT_THAT(notes_of(read), Contains(HasSubstr("a.sql:3: "))) << statement;
    EXPECT_THAT(test::statements_of(read), HasSubstr("OPAQUE")) << statement;
    EXPECT_THAT(test::statements_of(read), HasSubstr("writes t")) << statement;
  }
}

// A statement for each subcommand that text can ask for; the others are made by the server itself.
const std::map<std::string, std::string> kSubcommands = {
    {"AT_AddColumn", "ADD COLUMN extra int"},
    {"AT_ColumnDefault", "ALTER n SET DEFAULT 3"},
    {"AT_DropNotNull", "ALTER n DROP NOT NULL"},
    {"AT_SetNotNull", "ALTER n SET NOT NULL"},
    {"AT_DropExpression", "ALTER n DROP EXPRESSION"},
    {"AT_SetStatistics", "ALTER n SET STATISTICS 5"},
    {"AT_SetOptions", "ALTER n SET (n_distinct = 5)"},
    {"AT_ResetOptions", "ALTER n RESET (n_distinct)"},
    {"AT_SetStorage", "ALTER n SET STORAGE PLAIN"},
    {"AT_SetCompression", "ALTER n SET COMPRESSION pglz"},
    {"AT_DropColumn", "DROP COLUMN n"},
    {"AT_AddConstraint", "ADD UNIQUE (n)"},
    {"AT_AlterConstraint", "ALTER CONSTRAINT c DEFERRABLE"},
    {"AT_ValidateConstraint", "VALIDATE CONSTRAINT c"},
    {"AT_DropConstraint", "DROP CONSTRAINT t_pkey"},
    {"AT_AlterColumnType", "ALTER n TYPE text"},
    {"AT_AlterColumnGenericOptions", "ALTER n OPTIONS (a 'b')"},
    {"AT_ChangeOwner", "OWNER TO me"},
    {"AT_ClusterOn", "CLUSTER ON i"},
    {"AT_DropCluster", "SET WITHOUT CLUSTER"},
    {"AT_SetLogged", "SET LOGGED"},
    {"AT_SetUnLogged", "SET UNLOGGED"},
    {"AT_DropOids", "SET WITHOUT OIDS"},
    {"AT_SetAccessMethod", "SET ACCESS METHOD heap"},
    {"AT_SetTableSpace", "SET TABLESPACE x"},
    {"AT_SetRelOptions", "SET (fillfactor = 70)"},
    {"AT_ResetRelOptions", "RESET (fillfactor)"},
    {"AT_EnableTrig", "ENABLE TRIGGER x"},
    {"AT_EnableAlwaysTrig", "ENABLE ALWAYS TRIGGER x"},
    {"AT_EnableReplicaTrig", "ENABLE REPLICA TRIGGER x"},
    {"AT_DisableTrig", "DISABLE TRIGGER x"},
    {"AT_EnableTrigAll", "ENABLE TRIGGER ALL"},
    {"AT_DisableTrigAll", "DISABLE TRIGGER ALL"},
    {"AT_EnableTrigUser", "ENABLE TRIGGER USER"},
    {"AT_DisableTrigUser", "DISABLE TRIGGER USER"},
    {"AT_EnableRule", "ENABLE RULE x"},
    {"AT_EnableAlwaysRule", "ENABLE ALWAYS RULE x"},
    {"AT_EnableReplicaRule", "ENABLE REPLICA RULE x"},
    {"AT_DisableRule", "DISABLE RULE x"},
    {"AT_AddInherit", "INHERIT u"},
    {"AT_DropInherit", "NO INHERIT u"},
    {"AT_AddOf", "OF x"},
    {"AT_DropOf", "NOT OF"},
    {"AT_ReplicaIdentity", "REPLICA IDENTITY FULL"},
    {"AT_EnableRowSecurity", "ENABLE ROW LEVEL SECURITY"},
    {"AT_DisableRowSecurity", "DISABLE ROW LEVEL SECURITY"},
    {"AT_ForceRowSecurity", "FORCE ROW LEVEL SECURITY"},
    {"AT_NoForceRowSecurity", "NO FORCE ROW LEVEL SECURITY"},
    {"AT_GenericOptions", "OPTIONS (a 'b')"},
    {"AT_AttachPartition", "ATTACH PARTITION u DEFAULT"},
    {"AT_DetachPartition", "DETACH PARTITION u"},
    {"AT_DetachPartitionFinalize", "DETACH PARTITION u FINALIZE"},
    {"AT_AddIdentity", "ALTER n ADD GENERATED ALWAYS AS IDENTITY"},
    {"AT_SetIdentity", "ALTER n SET GENERATED BY DEFAULT"},
    {"AT_DropIdentity", "ALTER n DROP IDENTITY"},
};

// Storage, owners, maintenance: no row is read or written by them, nor by others because of them.
const std::set<std::string> kWithoutInfluence = {
    "AT_SetStatistics",      "AT_SetOptions",       "AT_ResetOptions",      "AT_SetStorage",
    "AT_SetCompression",     "AT_ChangeOwner",      "AT_ClusterOn",         "AT_DropCluster",
    "AT_SetLogged",          "AT_SetUnLogged",      "AT_SetAccessMethod",   "AT_SetTableSpace",
    "AT_SetRelOptions",      "AT_ResetRelOptions",  "AT_EnableTrig",        "AT_EnableTrigAll",
    "AT_EnableTrigUser",     "AT_ReplicaIdentity",  "AT_SetIdentity",       "AT_ValidateConstraint",
    "AT_DisableRowSecurity", "AT_ForceRowSecurity", "AT_NoForceRowSecurity"};

// What the schema says of the table t, so that a subcommand shows.
std::string describe(const Application& read) {
  std::string text;
  for (const Table& table : read.schema.tables) {
    text += fmt::format("{} key {} unique {} filtered {}\n", table.name, table.primary_key.size(),
                        table.unique.size(), table.filtered);
    for (const Column& column : table.columns)
      text += fmt::format("  {} {} {} {}\n", column.name, column.declared, column.nullable,
                          column.fallback ? static_cast<int>(column.fallback->kind) : -1);
  }
  return text + fmt::format("{}", read.schema.partitions.size());
}

TEST(AlterTable, IsModelledOrNotedWhateverItDoes) {
  const auto all = matches(part_named(definitions_of_nodes(), "enum AlterTableType"), "(AT_\\w+) = \\d+");
  ASSERT_GT(all.size(), 60u);
  const std::string tables =
      "CREATE TABLE t (id int PRIMARY KEY, n int);\nCREATE TABLE u (id int, n int NOT NULL);\n";
  const std::string program = "\n-- transaction: p\nSELECT n FROM t; SELECT n FROM u;";
  for (const std::string& subtype : all) {
    const auto text = kSubcommands.find(subtype);
    if (text == kSubcommands.end()) {
      // Text cannot ask for it; should it come in a tree all the same, it is a gap or has no influence.
      const Json tree{{"AlterTableStmt", {{"cmds", {{{"AlterTableCmd", {{"subtype", subtype}}}}}}}}};
      if (subtype != "AT_ReplaceRelOptions") {
        EXPECT_THAT(gaps_in(tree), Not(IsEmpty())) << subtype;
      }
      continue;
    }
    const bool other = subtype == "AT_DropNotNull";
    const std::string statement = fmt::format(
        "ALTER {} {} {};", subtype.find("Generic") != std::string::npos ? "FOREIGN TABLE" : "TABLE",
        other ? "u" : "t", text->second);
    EXPECT_THAT(parse_sql(statement)->dump(), HasSubstr("\"" + subtype + "\"")) << statement;
    const Application before = application(tables + program);
    const Application after = application(tables + statement + program);
    const bool noted = !after.notes.empty() && test::statements_of(after).find("OPAQUE") != std::string::npos;
    const bool modelled = describe(before) != describe(after);
    EXPECT_TRUE(noted || modelled || kWithoutInfluence.contains(subtype)) << statement;
    EXPECT_FALSE(kWithoutInfluence.contains(subtype) && (noted || modelled)) << statement;
  }
}

TEST(SchemaStatements, ThatAreNotUnderstoodConcernEveryProgram) {
  for (const char* statement :
       {"CREATE CAST (int AS text) WITH FUNCTION f(int);",
        "CREATE OPERATOR === (LEFTARG = int, RIGHTARG = int, FUNCTION = f);", "ALTER TABLE t RENAME TO u2;",
        "CREATE OPERATOR CLASS c FOR TYPE int USING btree AS OPERATOR 1 <;", "DROP TABLE t;"}) {
    const Application read = application("CREATE TABLE t (id int PRIMARY KEY, n int);\n" +
                                         std::string(statement) + "\n-- transaction: p\nSELECT n FROM t;");
    EXPECT_THAT(notes_of(read), Contains(HasSubstr("a.sql:2: "))) << statement;
    EXPECT_THAT(test::statements_of(read), HasSubstr("OPAQUE")) << statement;
  }
}

}  // namespace
}  // namespace assay::sql

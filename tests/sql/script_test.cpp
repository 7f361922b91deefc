#include "sql/script.h"

#include <gmock/gmock.h>

#include "support.h"

namespace assay::sql::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string rewritten(const std::string& text) {
  const auto scripts = split_scripts("-- transaction: t(a int, b)\n" + text);
  return scripts ? scripts->at(1).text.substr(1) : scripts.error().describe();
}

TEST(Script, RewritesPlaceholdersOutsideOfQuotesAndComments) {
  EXPECT_EQ(rewritten("SELECT :a, :b, :c, :a::int, x[1:2], y := 3"),
            "SELECT $1, $2, $3, $1::int, x[1:2], y := 3");
  EXPECT_EQ(rewritten("SELECT ?, ?, ?"), "SELECT $1, $2, $3");
  EXPECT_EQ(rewritten("SELECT ':a', E'\\':a', \":b\" -- :c ?\n/* :a /* ? */ :b */ + $$ :a $$ || $x$ ? $x$"),
            "SELECT ':a', E'\\':a', \":b\" -- :c ?\n/* :a /* ? */ :b */ + $$ :a $$ || $x$ ? $x$");
  EXPECT_EQ(rewritten("SELECT $1 + $2"), "SELECT $1 + $2");
}

TEST(Script, RewritesPlaceholdersOfPythonsDrivers) {
  EXPECT_EQ(rewritten("SELECT %s, %s::int, %(b)s, %(c)s, x %size, x % s, '%s'"),
            "SELECT $1, $2::int, $2, $3, x %size, x % s, '%s'");
}

// As in a server's log: two statements that say $1 mean two values.
TEST(Script, StartsNumbersAgainWhereNoParametersAreDeclared) {
  EXPECT_EQ(statements_of(script("t",
                                 "DELETE FROM account WHERE id = $1 AND owner = $2; DELETE FROM log WHERE "
                                 "account = $1 AND id = $1;")),
            "DELETE FROM account WHERE (id = :p1_1) AND (owner = :p1_2)\n"
            "DELETE FROM log WHERE (account = :p2_1) AND (id = :p2_1)\n");
  EXPECT_EQ(statements_of(
                script("t(a int)", "DELETE FROM account WHERE id = $1; DELETE FROM log WHERE account = $1;")),
            "DELETE FROM account WHERE id = :a\nDELETE FROM log WHERE account = :a\n");
  EXPECT_THAT(error_of(kTables + "-- transaction: t()\nDELETE FROM log WHERE id = $1;"),
              HasSubstr("there is no parameter $1"));
}

TEST(Script, ThatCannotBeReadCostsTheOthersNothing) {
  const auto read =
      application(kTables + "-- transaction: bad\nSELEKT 1;\n-- transaction: good\nDELETE FROM log;\n");
  ASSERT_EQ(read.programs.size(), 1u);
  EXPECT_EQ(read.programs[0].name, "good");
  ASSERT_EQ(read.left_out.size(), 1u);
  EXPECT_EQ(read.left_out[0].name, "bad");
  EXPECT_THAT(notes_of(read),
              ElementsAre("a.sql:2: program bad cannot be read, no answer is about it: a.sql:3: syntax "
                          "error at or near \"SELEKT\""));
}

TEST(Script, ReadsHeadings) {
  const auto scripts = split_scripts(
      "x;\n--  Transaction:  Pay-Now ( id int, amount numeric(10, 2), keys int[] )\nSELECT 1;\n-- "
      "transaction: b\n");
  ASSERT_TRUE(scripts);
  ASSERT_EQ(scripts->size(), 3u);
  EXPECT_EQ(scripts->at(1).name, "Pay-Now");
  EXPECT_EQ(scripts->at(1).parameters.at(1).type, "numeric(10, 2)");
  EXPECT_EQ(scripts->at(1).first_line, 2u);
  EXPECT_EQ(scripts->at(2).parameters.size(), 0u);
}

TEST(Script, EndsWhereSomethingIsCreated) {
  const auto scripts = split_scripts(
      "CREATE TABLE x (k int)\n-- transaction: t(a)\nSELECT :a; -- the last\n\ncreate or replace FUNCTION "
      "f() AS $$ "
      ":a; $$;\nCREATE TABLE y (k int);\n-- transaction: u(a)\nCREATE TEMP TABLE z (k int);\nSELECT ?;\n");
  ASSERT_TRUE(scripts);
  ASSERT_EQ(scripts->size(), 3u);
  EXPECT_EQ(scripts->at(0).text,
            "CREATE TABLE x (k int)\n\n\n\n;create or replace FUNCTION f() AS $$ :a; $$;\nCREATE TABLE y (k "
            "int);\n");
  EXPECT_EQ(scripts->at(1).text, "\nSELECT $1; -- the last\n\n");
  EXPECT_EQ(scripts->at(2).text, "\nCREATE TEMP TABLE z (k int);\nSELECT $1;\n");
}

TEST(Script, SaysWhatIsWrongWithAHeading) {
  EXPECT_THAT(error_of("\n-- transaction: (a)\n"), HasSubstr("a.sql:2: a transaction without a name"));
  EXPECT_THAT(error_of("-- transaction: t(a\n"), HasSubstr("do not end with )"));
  EXPECT_THAT(error_of("-- transaction: t(a,,b)\n"), HasSubstr("a parameter without a name"));
  EXPECT_THAT(error_of(kTables), HasSubstr("a.sql: no transaction program here"));
  EXPECT_THAT(error_of("-- transaction: t\nSELECT 1;\n-- transaction: t\nSELECT 1;"),
              HasSubstr("two programs called t"));
}

TEST(Script, StoresResultsWithGset) {
  EXPECT_EQ(
      statements_of(script(
          "t(key)",
          "SELECT balance AS b FROM account WHERE id = :key\n\\gset\nUPDATE log SET amount = :b + :more;")),
      "SELECT balance FROM account WHERE id = :key INTO b [first]\nUPDATE log SET amount = :b + :more\n");
  EXPECT_THAT(error_of(kTables + "-- transaction: t\n\\set x 3\n"), HasSubstr("a.sql:3: a psql command"));
}

TEST(Script, LearnsTheTypesOfParametersFromTheirUse) {
  const auto read = script("t(a, b, c int)", "UPDATE account SET owner = :b WHERE id = :a AND balance = :d;");
  const Program& program = read.programs.at(0);
  std::vector<Type> types;
  for (const VariableId id : program.parameters) types.push_back(program[id].type);
  EXPECT_THAT(types, ElementsAre(Type::Integer, Type::Text, Type::Integer, Type::Integer));
}

// The server asks for `numeric`, not for `numeric(10,0)`: so the value may be cut when it is stored.
TEST(Script, LearnsTypesWithoutLengthAndScale) {
  const auto read = application(
      "CREATE TABLE t (n numeric(10,0), s varchar(3));\n-- transaction: f(a, b)\nUPDATE t SET n = :a, s = "
      ":b;\n");
  const Program& program = read.programs.at(0);
  std::vector<std::string> types;
  for (const VariableId id : program.parameters) types.push_back(program[id].declared);
  EXPECT_THAT(types, ElementsAre("numeric", "varchar"));
}

// What a command brings in is in no statement: so it is noted, or taken for anything.
TEST(Script, DoesNotLeaveOutCommandsThatMatter) {
  const std::string rest = kTables + "-- transaction: t\nDELETE FROM log;\n";
  EXPECT_THAT(notes_of(application("\\set ON_ERROR_STOP on\n\\restrict x\n" + rest)), ElementsAre());
  EXPECT_THAT(notes_of(application("\\i triggers.sql\n" + rest)),
              ElementsAre(HasSubstr("a.sql:1: \\i triggers.sql is not followed: every program may")));
  EXPECT_THAT(notes_of(application("\\ir sql/a.sql\n" + rest)), ElementsAre()) << "it is among the files";
  EXPECT_THAT(statements_of(application("SELECT 'DROP TABLE log' \\gexec\n" + rest)), HasSubstr("gexec"));
  EXPECT_TRUE(application("\\copy log FROM 'log.csv'\n" + rest).schema.tables.at(0).seeded);
  const auto left = application(rest + "-- transaction: u\n\\echo x\nDELETE FROM log;\n");
  EXPECT_EQ(left.programs.size(), 1u);
  EXPECT_THAT(left.left_out.at(0).why.text, HasSubstr("a psql command in a transaction"));
}

TEST(Script, PassesOverTheRowsOfADump) {
  const auto read =
      application(kTables + "COPY log (id) FROM stdin;\n1\tit's\n\\.\n\n-- transaction: t\nSELEKT;\n" +
                  "-- transaction: u\nDELETE FROM log;\n");
  EXPECT_EQ(read.programs.size(), 1u);
  EXPECT_THAT(notes_of(read), testing::Contains(HasSubstr("a.sql:6: program t cannot be read")));
}

TEST(Script, SkipsBeginAndCommit) {
  EXPECT_EQ(statements_of(script("t", "BEGIN; DELETE FROM log; COMMIT;")), "DELETE FROM log\n");
  EXPECT_EQ(statements_of(script("t", "BEGIN; DELETE FROM log; ROLLBACK;")),
            "DELETE FROM log\nABORT ROLLBACK\n");
}

TEST(Script, PointsAtTheLineOfAnError) {
  EXPECT_EQ(error_of(kTables + "-- transaction: t\nSELECT 1;\n\nSELEKT 2;"),
            "a.sql:5: syntax error at or near \"SELEKT\"");
  EXPECT_EQ(error_of("CREATE TABLE a (x int);\n\nCREATE TABEL b (x int);"),
            "a.sql:3: syntax error at or near \"TABEL\"");
  EXPECT_THAT(error_of(std::string("SELECT 1;\n\0", 11)), HasSubstr("a.sql:2: a zero byte"));
}

TEST(Files, AreReadTogetherAndMayReplaceFunctions) {
  const std::string first = "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$DELETE FROM log$$;";
  const std::string second =
      "CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$DELETE FROM account$$;";
  const auto both = read_application({{"a.sql", first}, {"b.sql", second}, {"c.sql", kTables}});
  ASSERT_TRUE(both) << both.error().describe();
  EXPECT_EQ(both->programs.size(), 1u);
  EXPECT_EQ(statements_of(*both), "DELETE FROM account\n");
  EXPECT_THAT(error_of(kTables + first + first), HasSubstr("function f exists already"));
  EXPECT_THAT(read_application_files({"/no/such.sql"}).error().describe(),
              HasSubstr("/no/such.sql: cannot be read"));
}

}  // namespace
}  // namespace assay::sql::test

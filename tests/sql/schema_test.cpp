#include <gmock/gmock.h>

#include "sql/expression.h"
#include "support.h"

namespace assay::sql::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kProgram = "-- transaction: t\nSELECT 1;";

Schema schema(const std::string& ddl) { return application(ddl + kProgram).schema; }

TEST(SchemaReader, ReadsColumnsTypesAndKeys) {
  const Schema s = schema(
      "CREATE TABLE a (x int, y numeric(12,2) NOT NULL, z varchar(9), w timestamptz, b bool, PRIMARY KEY (y, "
      "x),"
      " UNIQUE (z));\n");
  const Table& a = s.tables.at(0);
  EXPECT_THAT(a.primary_key, ElementsAre(ColumnId(1), ColumnId(0)));
  EXPECT_THAT(a.unique, ElementsAre(ElementsAre(ColumnId(2))));
  EXPECT_EQ(a.columns[0].type, Type::Integer);
  EXPECT_FALSE(a.columns[0].nullable) << "a primary key is NOT NULL";
  EXPECT_EQ(a.columns[1].declared, "numeric(12,2)");
  EXPECT_EQ(a.columns[3].type, Type::Time);
  EXPECT_EQ(a.columns[4].type, Type::Boolean);
  EXPECT_TRUE(a.columns[2].nullable);
}

TEST(SchemaReader, TakesKeysFromAlterTableAndFromUniqueIndexes) {
  const Schema s = schema(
      "CREATE TABLE a (x int, y int); ALTER TABLE ONLY a ADD CONSTRAINT k PRIMARY KEY (x);"
      "CREATE UNIQUE INDEX i ON a (y); CREATE UNIQUE INDEX partly ON a (x) WHERE y > 3; CREATE INDEX j ON a "
      "(x);\n");
  EXPECT_THAT(s.tables.at(0).primary_key, ElementsAre(ColumnId(0)));
  EXPECT_THAT(s.tables.at(0).unique, ElementsAre(ElementsAre(ColumnId(1))));
}

TEST(SchemaReader, ResolvesForeignKeysInAnyOrder) {
  const Schema s = schema(
      "CREATE TABLE child (p int REFERENCES parent ON DELETE CASCADE); CREATE TABLE parent (id int PRIMARY "
      "KEY);\n");
  const ForeignKey& key = s.tables.at(0).foreign_keys.at(0);
  EXPECT_EQ(key.target, TableId(1));
  EXPECT_THAT(key.target_columns, ElementsAre(ColumnId(0)));
  EXPECT_TRUE(key.cascades);
}

TEST(SchemaReader, KnowsDefaults) {
  const Schema s = schema(
      "CREATE TABLE a (s serial, g int GENERATED ALWAYS AS IDENTITY, c int DEFAULT 7, t text DEFAULT 'x', n "
      "int,"
      " f timestamptz DEFAULT now(), m int DEFAULT -5);\n");
  const auto& columns = s.tables.at(0).columns;
  EXPECT_EQ(columns[0].fallback->kind, Expression::Kind::Fresh);
  EXPECT_EQ(columns[1].fallback->kind, Expression::Kind::Fresh);
  EXPECT_EQ(columns[2].fallback->text, "7");
  EXPECT_EQ(columns[3].fallback->text, "x");
  EXPECT_EQ(columns[4].fallback, nullptr);
  EXPECT_EQ(columns[5].fallback->kind, Expression::Kind::Unknown);
  EXPECT_EQ(columns[6].fallback->kind, Expression::Kind::Unknown) << "the tree loses negative numbers";
}

TEST(SchemaReader, EndsOnDefinitionsThatGoInCircles) {
  const std::string kRing =
      "CREATE TABLE p PARTITION OF q FOR VALUES IN (1);"
      "CREATE TABLE q PARTITION OF p FOR VALUES IN (1);";
  EXPECT_EQ(error_of(kRing + "CREATE TABLE a (x int);" + kProgram), "none");
  EXPECT_EQ(error_of("CREATE TABLE a (x int); ALTER TABLE a ATTACH PARTITION old.a DEFAULT;" + kProgram),
            "none");
  EXPECT_EQ(error_of("CREATE DOMAIN d AS e; CREATE DOMAIN e AS d; CREATE TABLE a (x d);" + kProgram), "none");
  EXPECT_EQ(error_of("CREATE TABLE a (x int) INHERITS (a);" + kProgram), "none");
}

TEST(SchemaReader, SaysWhereSomethingIsMissing) {
  EXPECT_THAT(error_of("\n\nCREATE TABLE a (x int REFERENCES b);\n" + kProgram),
              HasSubstr("a.sql:3: there is no table b (add its CREATE TABLE)"));
  EXPECT_THAT(error_of("CREATE TABLE a (x int, PRIMARY KEY (y));\n" + kProgram),
              HasSubstr("table a has no column y"));
  EXPECT_THAT(error_of("CREATE TABLE a (x int);CREATE TABLE a (x int);\n" + kProgram),
              HasSubstr("exists already"));
  EXPECT_THAT(error_of("CREATE TABLE a (x int, x int);\n" + kProgram),
              HasSubstr("column x of table a stands twice"));
}

TEST(SchemaReader, TakesSettingsOfADumpForWhatTheyAre) {
  const auto read = application(
      "SET lock_timeout = 0;\nSELECT pg_catalog.set_config('search_path', '', false);\nCREATE TABLE a (x "
      "int);\n" +
      kProgram);
  EXPECT_THAT(notes_of(read), ElementsAre());
  EXPECT_FALSE(read.schema.tables.at(0).seeded);
  EXPECT_TRUE(application("SELECT fill();\nCREATE TABLE a (x int);\n" + kProgram).schema.tables.at(0).seeded);
}

TEST(SchemaReader, NotesWhatItLeavesOut) {
  const auto notes =
      notes_of(application("CREATE TABLE a (x int CHECK (x > 0));\nINSERT INTO a VALUES (1);\n" + kProgram));
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("a.sql:2: a statement outside of any program"), HasSubstr("CHECK")));
}

}  // namespace
}  // namespace assay::sql::test

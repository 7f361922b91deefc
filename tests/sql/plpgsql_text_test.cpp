// Where statements begin in the text of a PL/pgSQL body.
#include "sql/plpgsql_text.h"

#include <gmock/gmock.h>

namespace assay::sql {
namespace {

using testing::ElementsAre;

// The first words of the statements.
std::vector<std::string> starts(const std::string& body) {
  std::vector<std::string> words;
  for (const StatementStart& start : statement_starts(body))
    words.push_back(body.substr(start.offset, body.find_first_of(" ;\n", start.offset) - start.offset));
  return words;
}

TEST(StatementStarts, AreBehindBeginThenElseLoopAndSemicolons) {
  EXPECT_THAT(
      starts("BEGIN IF a THEN b := 1; ELSIF c THEN d; ELSE e; END IF; FOR i IN 1..2 LOOP f; END LOOP; END"),
      ElementsAre("IF", "b", "d", "e", "FOR", "f", "END"));
}

TEST(StatementStarts, PassOverCaseExpressions) {
  EXPECT_THAT(
      starts("BEGIN a := CASE WHEN x THEN 1 ELSE 2 END; IF CASE WHEN y THEN z END THEN b; END IF; END;"),
      ElementsAre("a", "IF", "b", "END"));
}

TEST(StatementStarts, KnowCaseStatementsAndHandlers) {
  EXPECT_THAT(
      starts(
          "BEGIN CASE x WHEN 1 THEN a; WHEN 2 THEN b; ELSE c; END CASE; EXCEPTION WHEN others THEN d; END"),
      ElementsAre("CASE", "a", "b", "c", "EXCEPTION", "d", "END"));
}

TEST(StatementStarts, AreInFrontOfLabels) {
  EXPECT_THAT(starts("BEGIN <<outer>> LOOP EXIT outer WHEN a; END LOOP outer; END"),
              ElementsAre("<<outer>>", "EXIT", "END"));
}

TEST(StatementStarts, PassOverCommentsAndStrings) {
  EXPECT_THAT(
      starts("#variable_conflict use_column\nBEGIN /* ; */ a := 'x; BEGIN'; -- b;\n c := $q$; d$q$; END"),
      ElementsAre("a", "c", "END"));
}

TEST(StatementStarts, HaveTheVariablesThatAreDeclaredThere) {
  const auto all = statement_starts(
      "DECLARE a int; c CURSOR FOR SELECT 1; BEGIN x; DECLARE b t%ROWTYPE; BEGIN y; END; z; END");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_THAT(all[0].variables, ElementsAre("a"));
  EXPECT_THAT(all[1].variables, ElementsAre("a", "b"));
  EXPECT_THAT(all[3].variables, ElementsAre("a"));
}

}  // namespace
}  // namespace assay::sql

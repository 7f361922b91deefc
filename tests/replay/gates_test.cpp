// Gates stand in front of statements, and their places are found again.
#include "replay/gates.h"

#include <gmock/gmock.h>

#include "replay/values.h"

namespace assay::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

sql::Written written(const std::string& text) {
  auto result = sql::as_written({{"a.sql", text}});
  EXPECT_TRUE(result) << result.error().what;
  return std::move(*result);
}

TEST(Gates, StandInFrontOfEveryStatementOfAVolatileFunction) {
  const auto files = written(R"(CREATE FUNCTION f(a int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int := 1;
BEGIN
  IF a > CASE WHEN v = 1 THEN 2 ELSE 3 END THEN
    v := 2; UPDATE t SET x = v;
  END IF;
  RETURN v;
END $$;)");
  const Gates gates(files, "g");
  const std::string text = gates.create_function(0);
  EXPECT_THAT(
      text,
      HasSubstr("IF g.gate(1, pg_catalog.format('a = %L, v = %L, FOUND = %L', a, v, FOUND)) THEN END IF; "
                "IF a > CASE WHEN v = 1 THEN 2 ELSE 3 END THEN\n    IF g.gate(2, "));
  EXPECT_THAT(text, HasSubstr("THEN END IF; UPDATE t"));
  EXPECT_THAT(text, HasSubstr("THEN END IF; END $assay_body$"));
  EXPECT_EQ(gates.size(), 6u);  // the call, IF, :=, UPDATE, RETURN, END
  EXPECT_EQ(gates[3].place.line, 5u);
}

TEST(Gates, AreNotInFunctionsThatSeeTheSnapshotOfTheirCaller) {
  const auto files =
      written("CREATE FUNCTION f() RETURNS int STABLE LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';");
  EXPECT_THAT(Gates(files, "g").create_function(0), Not(HasSubstr("gate")));
}

TEST(Gates, AreFoundByThePlaceOfTheStatementBehindThem) {
  const auto files =
      written("CREATE TABLE t (a int);\n-- transaction: one(k int)\nSELECT a\nFROM t;\nDELETE FROM t;\n");
  const Gates gates(files, "g");
  const auto file = gates.statement_of(0, 0).place.file;
  EXPECT_EQ(gates.before({file, 4}, std::nullopt)->line, 3u);
  EXPECT_EQ(gates.before({file, 5}, std::nullopt)->line, 5u);
  EXPECT_FALSE(gates.before({file, 1}, std::nullopt));
}

TEST(GateMessage, HasANumberAKeyAndTheVariables) {
  const auto message = parse_gate_message("17 -640 v = '1'");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->number, 17u);
  EXPECT_EQ(message->key, "-640");
  EXPECT_EQ(message->seen, "v = '1'");
  EXPECT_FALSE(parse_gate_message("hello"));
}

TEST(MadeUpValue, FitsItsType) {
  EXPECT_EQ(made_up(5, {.name = "uuid"}), "00000000-0000-4000-8000-000000000005");
  EXPECT_EQ(made_up(5, {.name = "mood", .category = 'E', .labels = {"sad", "happy"}}), "happy");
  EXPECT_EQ(made_up(1234, {.name = "character", .category = 'S', .length = 2}).size(), 2u);
  EXPECT_EQ(made_up(5, {.name = "text", .category = 'S'}), "t5");
  EXPECT_EQ(spelled({.type = sql::Type::Text, .null = false, .text = "t5"}, {.name = "jsonb"}), "\"t5\"");
  EXPECT_EQ(spelled({.type = sql::Type::Text, .null = false, .text = "new"}, {.name = "text"}), "new");
  EXPECT_EQ(array_of({"1", std::nullopt, "a\"b"}), R"({"1",NULL,"a\"b"})");
}

}  // namespace
}  // namespace assay::replay

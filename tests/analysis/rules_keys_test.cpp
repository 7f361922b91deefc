// One small application per rule about keys and constraints: what an INSERT looks for, what a DELETE takes
// along, what a statement that was not understood may do.
#include <gtest/gtest.h>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

const std::string kNames =
    "CREATE TABLE person (id int PRIMARY KEY, name int NOT NULL UNIQUE, n int NOT NULL);\n";

bool skew(const std::string& tables, const std::string& first, const std::string& second,
          const std::string& level = "si") {
  const auto application =
      read(tables + kTables + "-- transaction: first(x)\n" + first + "\nUPDATE u SET a = 1 WHERE k = 1;\n" +
           "-- transaction: second(x)\nSELECT a FROM u WHERE k = 1;\n" + second + "\n");
  return has(look(application, level, 2), application, {"first", "second"});
}

TEST(KeyRule, AnInsertReadsThatItsUniqueKeysAreFree) {
  const auto with = [](const char* name) {
    return read(kNames + "-- transaction: one()\nINSERT INTO person VALUES (1, 5, 0);\n" +
                "-- transaction: two()\nINSERT INTO person VALUES (2, " + name + ", 0);\n");
  };
  EXPECT_TRUE(has(look(with("5"), "psi", 2), with("5"), {"one", "two"}));
  EXPECT_FALSE(has(look(with("6"), "psi", 2), with("6"), {"one", "two"}));
}

TEST(KeyRule, AnInsertThatDoesNothingReadsThatAUniqueKeyIsTaken) {
  const std::string once = "INSERT INTO person VALUES (1, 5, 0) ON CONFLICT DO NOTHING;";
  EXPECT_TRUE(skew(kNames, once, "DELETE FROM person WHERE name = 5 AND id <> 1;"));
}

// Which of its keys was taken it does not say: where there are several, a free primary key means nothing.
TEST(KeyRule, AnInsertThatDoesNothingMayHaveMetAnyOfItsKeys) {
  const auto with = [](const std::string& table, const std::string& row) {
    const auto application =
        read(kNames + kTables + R"(
CREATE FUNCTION once(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM )" +
             table + " WHERE " + (table == "t" ? "k" : "id") + R"( = 1) THEN RAISE EXCEPTION 'there'; END IF;
  INSERT INTO )" +
             table + " VALUES (" + row + R"x() ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN UPDATE u SET a = a + 1 WHERE k = 1; END IF;
END; $$;
-- transaction: other()
UPDATE u SET a = a + 1 WHERE k = 1;
)x");
    return has(look(application, "ec", 2), application, {"once", "other"});
  };
  EXPECT_TRUE(with("person", "1, x, 0"));
  EXPECT_FALSE(with("t", "1, 0, 0"));
}

TEST(KeyRule, AnInsertThatUpdatesWritesTheRowWithItsUniqueKey) {
  const auto with = [](const char* name) {
    const std::string update = " ON CONFLICT (name) DO UPDATE SET n = person.n + 1;\n";
    return read(kNames + "-- transaction: one()\nINSERT INTO person VALUES (1, 5, 0)" + update +
                "-- transaction: two()\nSELECT n FROM person WHERE id = 7;\nINSERT INTO person VALUES (2, " +
                name + ", 0)" + update);
  };
  EXPECT_TRUE(has(look(with("5"), "ec", 2), with("5"), {"one", "two"}));
  EXPECT_FALSE(has(look(with("6"), "psi", 2), with("6"), {"one", "two"}));
}

TEST(KeyRule, AnInsertThatUpdatesWritesColumnsOfRowsThatAreThere) {
  const auto application = read(kTables + R"(
-- transaction: put(x)
INSERT INTO u VALUES (:x, 0) ON CONFLICT (k) DO UPDATE SET a = u.a + 1;
)");
  EXPECT_TRUE(has(look(application, "ec", 2), application, {"put", "put"}));
  EXPECT_EQ(look(application, "rc", 2).outcome, Outcome::NoneUpToCycle);
  EXPECT_EQ(look(application, "psi", 2).outcome, Outcome::NoneUpToCycle);
}

TEST(KeyRule, AnInsertThatDoesNothingReadsThatItsKeyIsTaken) {
  const std::string once = "INSERT INTO t VALUES (5, 0, 0) ON CONFLICT DO NOTHING;";
  EXPECT_TRUE(skew("", once, "DELETE FROM t WHERE k = 5;"));
  EXPECT_FALSE(skew("", once, "DELETE FROM t WHERE k = 6;"));
}

// `put` does this to the row 5 of t, `other` that, on a store that merges columns.
bool columns_conflict(const std::string& put, const std::string& other) {
  const auto function = [](const std::string& name, const std::string& body) {
    return "CREATE FUNCTION " + name + "() RETURNS void LANGUAGE plpgsql AS $$\nDECLARE v int;\nBEGIN\n" +
           body + "\nEND; $$;\n";
  };
  const auto application = read(kTables + function("put", put + "\nUPDATE u SET a = 1 WHERE k = 1;") +
                                function("other", "SELECT a INTO STRICT v FROM u WHERE k = 1;\n" + other));
  return has(look(application, "psi", 2, Options{.granularity = Granularity::Column}), application,
             {"put", "other"});
}

TEST(KeyRule, AnInsertThatUpdatesReadsAndWritesColumns) {
  const auto upsert = [](const std::string& set) {
    return "INSERT INTO t VALUES (5, 0, 0) ON CONFLICT (k) DO UPDATE SET " + set + ";";
  };
  EXPECT_TRUE(columns_conflict(upsert("a = t.b + 1"), "UPDATE t SET b = 1 WHERE k = 5;"));
  EXPECT_TRUE(columns_conflict(upsert("a = 1 WHERE t.b = 0"), "UPDATE t SET b = 1 WHERE k = 5;"));
  EXPECT_FALSE(columns_conflict(upsert("a = 1"), "UPDATE t SET b = 1 WHERE k = 5;"));
  EXPECT_TRUE(columns_conflict("SELECT a INTO STRICT v FROM t WHERE k = 5;", upsert("a = 1")));
  EXPECT_FALSE(columns_conflict("SELECT a INTO STRICT v FROM t WHERE k = 5;", upsert("b = 1")));
}

// A plain INSERT that committed met no row with its key, whatever else its loop inserted.
TEST(KeyRule, AnInsertIsRefusedByARowThatIsThere) {
  const auto with = [](const char* key) {
    return read(kTables + R"(
CREATE FUNCTION place(x int, many int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int; v int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = x;
  FOREACH n IN ARRAY many LOOP
    INSERT INTO t VALUES (n, 0, 0);
    IF n = )" + std::string(key) +
                R"( THEN
      SELECT a INTO v FROM u WHERE k = 1;
      UPDATE u SET a = v WHERE k = 2;
    END IF;
  END LOOP;
END; $$;
-- transaction: other()
SELECT a FROM u WHERE k = 2;
UPDATE u SET a = 1 WHERE k = 1;
)");
  };
  for (const char* level : {"ec", "rc", "si"}) {
    EXPECT_TRUE(has(look(with("x + 1"), level, 2), with("x + 1"), {"place", "other"})) << level;
    EXPECT_FALSE(has(look(with("x"), level, 2), with("x"), {"place", "other"})) << level;
  }
}

TEST(KeyRule, NoRowToBeginWithIsMetByAnInsert) {
  const auto application = read(R"(
CREATE TABLE line (o int, n int, q int NOT NULL, PRIMARY KEY (o, n));
CREATE FUNCTION place(mine int, other int, many int[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE i int; s int;
BEGIN
  SELECT count(*) INTO s FROM line WHERE o = other;
  FOREACH i IN ARRAY many LOOP INSERT INTO line VALUES (mine, i, s); END LOOP;
END; $$;
)");
  for (const char* level : {"rc", "si"}) {
    const Analysis analysis = look(application, level, 2);
    ASSERT_EQ(analysis.outcome, Outcome::AnomalyFound);
    for (const FoundAnomaly& anomaly : analysis.anomalies)
      for (const Call& call : anomaly.calls)
        for (const Value& n : call.arguments[2])
          for (const Row& row : anomaly.initial_rows)
            EXPECT_FALSE(row.values[0].text == call.arguments[0][0].text && row.values[1].text == n.text)
                << level;
  }
}

TEST(KeyRule, AnInsertAfterADeleteMeetsNothing) {
  const auto application = read(kTables + R"(
CREATE FUNCTION replace(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = x;
  DELETE FROM t WHERE k = x;
  INSERT INTO t VALUES (x, v + 1, 0);
END; $$;
)");
  EXPECT_TRUE(has(look(application, "ec", 2), application, {"replace", "replace"}));
}

// One deletes a row and another inserts it again, while a third, who saw neither, writes a column of the old
// one.
TEST(KeyRule, AnInsertWritesEveryColumn) {
  const auto application = read(kTable + R"(
-- transaction: clear()
DELETE FROM t WHERE k = 1;
-- transaction: add()
INSERT INTO t VALUES (1, 0, 0);
-- transaction: put()
UPDATE t SET b = b + 1 WHERE k = 1;
)");
  EXPECT_TRUE(has(look(application, "cc", 3), application, {"clear", "add", "put"}));
}

// Only where rows are deleted is there an old one.
TEST(KeyRule, OnlyARowThatWasDeletedIsAnOlderOne) {
  const auto with = [](const std::string& clear) {
    const auto application = read(kTables + clear + R"(
-- transaction: add()
INSERT INTO t VALUES (1, 0, 0);
UPDATE u SET a = 1 WHERE k = 1;
-- transaction: put()
SELECT a FROM u WHERE k = 1;
UPDATE t SET a = 1 WHERE k = 1;
)");
    return has(look(application, "cc", 2), application, {"add", "put"});
  };
  EXPECT_TRUE(with("-- transaction: clear()\nDELETE FROM t WHERE k = 1;\n"));
  EXPECT_FALSE(with(""));
}

// put() sees all before it: that it found the row says more than that it overwrote a column.
TEST(KeyRule, WhoSeesAnInsertReadIt) {
  const auto application = read(kTables + R"(
-- transaction: clear()
DELETE FROM t WHERE k = 1;
-- transaction: add()
INSERT INTO t VALUES (1, 0, 0);
UPDATE u SET a = 1 WHERE k = 1;
-- transaction: put()
UPDATE t SET a = 1 WHERE k = 1;
UPDATE u SET a = 1 WHERE k = 2;
-- transaction: get()
SELECT a FROM u WHERE k = 2;
SELECT a FROM u WHERE k = 1;
)");
  std::size_t found = 0;
  for (const FoundAnomaly& anomaly : look(application, "ec,put=ser", 3).anomalies)
    for (const Edge& edge : anomaly.cycle) {
      const auto name = [&](std::size_t call) {
        return application.programs[anomaly.calls[call].program].name;
      };
      if (name(edge.from) != "add" || name(edge.to) != "put") continue;
      EXPECT_EQ(edge.kind, Dependency::Wr);
      ++found;
    }
  EXPECT_GT(found, 0u);
}

// Followers: whoever inserts the row counts up, whoever deletes it counts down.
TEST(KeyRule, AnInsertAndADeleteOfOneRowTakeTurns) {
  const auto application = example({"twitter.sql"}, {"follow", "unfollow"});
  EXPECT_EQ(look(application, "rc", 3).outcome, Outcome::NoneUpToCycle);
}

TEST(KeyRule, ForeignKeysReadTheirParent) {
  const std::string tables =
      "CREATE TABLE parent (id int PRIMARY KEY);\n"
      "CREATE TABLE child (id int PRIMARY KEY, p int NOT NULL REFERENCES parent (id));\n";
  EXPECT_TRUE(skew(tables, "INSERT INTO child VALUES (1, 5);", "DELETE FROM parent WHERE id = 5;"));
  EXPECT_FALSE(skew(tables, "INSERT INTO child VALUES (1, 5);", "DELETE FROM parent WHERE id = 6;"));
}

TEST(KeyRule, ADeleteReadsThatNothingPointsToTheRow) {
  const std::string tables =
      "CREATE TABLE parent (id int PRIMARY KEY);\n"
      "CREATE TABLE child (id int PRIMARY KEY, p int NOT NULL REFERENCES parent (id));\n";
  EXPECT_TRUE(skew(tables, "DELETE FROM parent WHERE id = 5;", "INSERT INTO child VALUES (1, 5);"));
  EXPECT_FALSE(skew(tables, "DELETE FROM parent WHERE id = 6;", "INSERT INTO child VALUES (1, 5);"));
}

TEST(KeyRule, ADeleteThatCascadesWritesTheChildren) {
  const auto tables = [](const std::string& rule) {
    return "CREATE TABLE parent (id int PRIMARY KEY);\n"
           "CREATE TABLE child (id int PRIMARY KEY, p int NOT NULL REFERENCES parent (id)" +
           rule + ");\n";
  };
  const auto drop = [&](const std::string& rule) {
    const auto application = read(tables(rule) + kTables +
                                  "-- transaction: reader()\nSELECT p FROM child WHERE id = 1;\n"
                                  "UPDATE u SET a = 1 WHERE k = 1;\n"
                                  "-- transaction: dropper(x)\nSELECT a FROM u WHERE k = 1;\n"
                                  "DELETE FROM parent WHERE id = :x;\n");
    return has(look(application, "si", 2), application, {"reader", "dropper"});
  };
  EXPECT_TRUE(drop(" ON DELETE CASCADE"));
  EXPECT_FALSE(drop(""));
}

TEST(KeyRule, AnUpdateOfAKeyMovesTheRow) {
  EXPECT_TRUE(skew("", "SELECT count(*) FROM t WHERE k = 5;", "UPDATE t SET k = 5 WHERE k = :x;"));
  EXPECT_FALSE(skew("", "SELECT count(*) FROM t WHERE k = 5;", "UPDATE t SET a = 5 WHERE k = :x;"));
}

TEST(KeyRule, WhatIsNotUnderstoodReadsAndWritesEverything) {
  EXPECT_TRUE(skew("", "SELECT b FROM t WHERE k = 5;", "TRUNCATE t;"));
  EXPECT_TRUE(skew("", "TRUNCATE t;", "UPDATE t SET b = 1 WHERE k = 5;"));
}

TEST(KeyRule, WhatIsNotUnderstoodRunsOnlyWhereItStands) {
  const auto with = [](const std::string& condition) {
    const auto application = read(kTables + R"(
CREATE FUNCTION something(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM a FROM u WHERE k = 1;
  IF )" + condition + R"( THEN EXECUTE 'UPDATE t SET a = 1'; END IF;
END; $$;
-- transaction: other()
SELECT a FROM t WHERE k = 1;
UPDATE u SET a = 1 WHERE k = 1;
)");
    return has(look(application, "si", 2), application, {"something", "other"});
  };
  EXPECT_TRUE(with("x > 0"));
  EXPECT_FALSE(with("x > 0 AND x < 0"));
}

TEST(KeyRule, ADeleteReadsWhatItsConditionSays) {
  EXPECT_TRUE(skew("", "DELETE FROM t WHERE a = 1;", "UPDATE t SET a = 1 WHERE k = 5;"));
  EXPECT_FALSE(skew("", "DELETE FROM t WHERE a = 1;", "UPDATE t SET b = 1 WHERE k = 5;", "ec"));
}

// A row that a DELETE misses stays: whoever inserts it comes after the DELETE.
TEST(KeyRule, ADeleteReadsThatARowIsNotThere) {
  EXPECT_TRUE(skew("", "DELETE FROM t WHERE k = 5;", "INSERT INTO t VALUES (5, 0, 0);"));
  EXPECT_FALSE(skew("", "DELETE FROM t WHERE k = 6;", "INSERT INTO t VALUES (5, 0, 0);"));
}

// Two that delete the same row, and both say that they did.
TEST(KeyRule, ADeleteThatSaysHowManyReadsThatARowIsThere) {
  const auto with = [](const std::string& ending) {
    const auto application = read(kTables + R"(
CREATE FUNCTION clear(x int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM t WHERE k = x;
)" + ending + "\nEND; $$;\n");
    return has(look(application, "ec", 2), application, {"clear", "clear"});
  };
  EXPECT_TRUE(with("IF NOT FOUND THEN RAISE EXCEPTION 'not there'; END IF;"));
  EXPECT_FALSE(with(""));
}

TEST(KeyRule, AnUpdateReadsThatARowIsNotThere) {
  EXPECT_TRUE(skew("", "UPDATE t SET a = 1 WHERE k = 5;", "INSERT INTO t VALUES (5, 0, 0);"));
}

TEST(KeyRule, AnUpdateReadsThatARowIsThere) {
  EXPECT_TRUE(skew("", "UPDATE t SET a = 1 WHERE k = 5;", "DELETE FROM t WHERE k = 5;", "ec"));
}

TEST(KeyRule, AWindowReadsTheColumnsThatItIsMadeOf) {
  const auto with = [](const std::string& output) {
    return skew("", "SELECT " + output + " FROM t WHERE k < 5;", "UPDATE t SET a = 1 WHERE k = 3;");
  };
  EXPECT_TRUE(with("rank() OVER (ORDER BY a)"));
  EXPECT_TRUE(with("sum(b) OVER (PARTITION BY a)"));
  EXPECT_FALSE(with("rank() OVER (PARTITION BY b ORDER BY k)"));
}

TEST(KeyRule, ADeleteReadsTheColumnsThatItReturns) {
  const auto with = [](const char* column) {
    const auto application = read(kTable + "-- transaction: take(x)\nDELETE FROM t WHERE k = :x RETURNING " +
                                  column + ";\n-- transaction: put(x)\nUPDATE t SET a = 1 WHERE k = :x;\n");
    return has(look(application, "pc", 2), application, {"put", "take"});
  };
  EXPECT_TRUE(with("a"));
  EXPECT_FALSE(with("b"));
}

TEST(KeyRule, ReturningReadsColumnsThatWereNotSet) {
  EXPECT_TRUE(
      skew("", "UPDATE t SET a = 1 WHERE k = 5 RETURNING b;", "UPDATE t SET b = 1 WHERE k = 5;", "ec"));
}

}  // namespace
}  // namespace assay::analysis

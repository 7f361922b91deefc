// SQL statements, one by one: what the model makes of them.
#include <gmock/gmock.h>

#include "support.h"

namespace assay::sql::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string sql(const std::string& text) {
  return statements_of(script("t(key bigint, amount bigint, keys bigint[])", text));
}
std::vector<std::string> notes(const std::string& text) {
  return notes_of(script("t(key bigint, amount bigint, keys bigint[])", text));
}

TEST(SelectStatement, ReadsRowsForTheCaller) {
  EXPECT_EQ(sql("SELECT balance, owner FROM account WHERE id = :key;"),
            "SELECT balance, owner FROM account WHERE id = :key [all]\n");
  EXPECT_EQ(sql("SELECT * FROM account FOR UPDATE"),
            "SELECT id, balance, owner FROM account FOR UPDATE [all]\n");
}

TEST(SelectStatement, JoinsTablesIntoOneConditionOverAll) {
  const std::string joined =
      "SELECT t1.balance FROM account AS t1, log AS t2 WHERE (t2.account = t1.id) AND (t2.amount > :amount) "
      "[all]\n";
  EXPECT_EQ(sql("SELECT a.balance FROM account a JOIN log l ON l.account = a.id WHERE l.amount > :amount"),
            joined);
  EXPECT_EQ(sql("SELECT balance FROM (SELECT id AS number, balance FROM account) a JOIN log l ON l.account = "
                "number "
                "WHERE l.amount > :amount"),
            joined);
}

TEST(SelectStatement, HasTheColumnsOfTheLeftSideOfAJoinFirst) {
  EXPECT_THAT(sql("SELECT * FROM log l RIGHT JOIN account a ON l.account = a.id"),
              HasSubstr("SELECT any value, any value, any value, id, balance, owner FROM account"));
}

TEST(SelectStatement, CalculatesAggregates) {
  EXPECT_EQ(sql("SELECT count(*), sum(balance), count(DISTINCT owner) FROM account"),
            "SELECT count(*), sum(balance), count(DISTINCT owner) FROM account INTO count, sum, count [one]\n"
            "EMIT :count, :sum, :count\n");
  EXPECT_EQ(sql("SELECT coalesce(max(balance), 0) + 1 FROM account"),
            "SELECT max(balance) FROM account INTO max [one]\n"
            "EMIT CASE WHEN NOT ((:max IS NULL)) THEN :max ELSE 0 END + 1\n");
}

TEST(SelectStatement, TurnsOrderByWithLimitOneIntoMinOrMax) {
  EXPECT_EQ(sql("SELECT id FROM account WHERE owner = 'x' ORDER BY id DESC LIMIT 1"),
            "SELECT max(id) FROM account WHERE owner = 'x' INTO max_id [one]\nEMIT :max_id\n");
  EXPECT_EQ(sql("SELECT balance FROM account ORDER BY id LIMIT 1"),
            "SELECT min(id) FROM account INTO min_id [one]\n"
            "SELECT balance FROM account WHERE id = :min_id [first]\n");
  EXPECT_EQ(sql("SELECT id FROM account WHERE balance = :amount ORDER BY balance, id LIMIT 1"),
            "SELECT min(id) FROM account WHERE balance = :amount INTO min_id [one]\nEMIT :min_id\n")
      << "a key that WHERE fixes orders nothing";
}

TEST(SelectStatement, DoesNotTakeNullsThatSortFirstForTheMaximum) {
  EXPECT_EQ(sql("SELECT owner FROM account ORDER BY owner DESC LIMIT 1"),
            "SELECT owner, owner FROM account [first, partial]\n");
}

TEST(SelectStatement, KeepsOtherLimitsAsAnyOfTheRows) {
  EXPECT_EQ(sql("SELECT id FROM account ORDER BY balance LIMIT 3"),
            "SELECT balance, id FROM account [all, partial]\n");
  EXPECT_THAT(notes("SELECT id FROM account ORDER BY balance LIMIT 3"),
              ElementsAre(HasSubstr("a.sql:3: LIMIT")));
}

TEST(SelectStatement, RunsQueriesInsideOfItFirstAndAsTheSameStatement) {
  EXPECT_EQ(sql("SELECT id FROM account WHERE balance > (SELECT min(amount) FROM log)"),
            "SELECT min(amount) FROM log WHERE NOT ((amount IS NULL)) INTO min [one]\nSELECT id FROM account "
            "WHERE balance > :min [all]\n");
  EXPECT_EQ(sql("SELECT id FROM account WHERE id IN (SELECT account FROM log WHERE amount = 3)"),
            "SELECT account FROM log WHERE amount = 3 INTO account [all]\n"
            "SELECT id FROM account WHERE (id = ANY (:account)) [all]\n");
  EXPECT_EQ(sql("SELECT id FROM account WHERE owner = 'x' AND EXISTS (SELECT 1 FROM log)"),
            "SELECT 1 FROM log; found [first, partial]\nSELECT id FROM account WHERE (owner = 'x') AND "
            ":exists [all]\n")
      << "PostgreSQL may not look into log at all";
  const auto program =
      script("t", "SELECT id FROM account WHERE balance > (SELECT min(amount) FROM log)").programs.at(0);
  EXPECT_EQ(program.body[0].number, program.body[1].number);
}

TEST(SelectStatement, AssumesAnyResultOfAQueryThatDependsOnTheRowAround) {
  const std::string text =
      "SELECT id FROM account a WHERE EXISTS (SELECT 1 FROM log WHERE account = a.id AND amount > 3)";
  EXPECT_EQ(sql(text),
            "SELECT 1 FROM log WHERE (account = any value) AND (amount > 3); found [first, partial]\n"
            "SELECT id FROM account WHERE any value(id, :exists) [all]\n");
  EXPECT_THAT(notes(text), ElementsAre(HasSubstr("depends on the row of the query around it")));
}

TEST(SelectStatement, ReadsTheOptionalSideOfAnOuterJoinOnItsOwn) {
  const std::string text = "SELECT a.id, l.amount FROM account a LEFT JOIN log l ON l.account = a.id";
  EXPECT_EQ(sql(text),
            "SELECT id, account, amount FROM log WHERE account = any value [all, partial]\n"
            "SELECT id, any value FROM account [all]\n");
  EXPECT_THAT(notes(text), ElementsAre(HasSubstr("outer join")));
}

TEST(SelectStatement, ReadsAllThatSetOperationsGroupsAndWithRead) {
  EXPECT_EQ(sql("SELECT id FROM account UNION SELECT amount FROM log"),
            "SELECT id FROM account [all]\nSELECT amount FROM log [all]\nEMIT any value\n");
  EXPECT_EQ(sql("SELECT owner, sum(balance) FROM account GROUP BY owner"),
            "SELECT owner, owner, any value(balance) FROM account [all]\n");
  EXPECT_EQ(sql("WITH rich AS (SELECT id FROM account WHERE balance > 5) SELECT amount FROM log, rich WHERE "
                "account = rich.id"),
            "SELECT id FROM account WHERE balance > 5 [all]\nSELECT amount FROM log WHERE account = any "
            "value [all, partial]\n");
}

TEST(SelectStatement, ExpandsViews) {
  const auto read = application(kTables +
                                "CREATE VIEW rich AS SELECT id, owner FROM account WHERE balance > 100;\n"
                                "-- transaction: t\nSELECT owner FROM rich WHERE id = 3;");
  EXPECT_EQ(statements_of(read), "SELECT owner FROM account WHERE (balance > 100) AND (id = 3) [all]\n");
}

TEST(InsertStatement, SpellsOutDefaults) {
  EXPECT_EQ(sql("INSERT INTO log (account) VALUES (:key)"), "INSERT INTO log VALUES (DEFAULT, :key, NULL)\n");
  EXPECT_EQ(sql("INSERT INTO log DEFAULT VALUES"), "INSERT INTO log VALUES (DEFAULT, NULL, NULL)\n");
  EXPECT_EQ(sql("INSERT INTO log VALUES (1, 2, -3), (2, DEFAULT, 0)"),
            "INSERT INTO log VALUES (1, 2, -3)\nINSERT INTO log VALUES (2, NULL, 0)\n")
      << "negative numbers are not in the parse tree";
}

TEST(InsertStatement, KnowsWhatHappensOnConflict) {
  EXPECT_EQ(sql("INSERT INTO account VALUES (:key, 0, NULL) ON CONFLICT DO NOTHING"),
            "INSERT INTO account VALUES (:key, 0, NULL) ON CONFLICT DO NOTHING\n");
  EXPECT_EQ(sql("INSERT INTO account VALUES (:key, :amount, 'x') ON CONFLICT (id) DO UPDATE "
                "SET balance = account.balance + excluded.balance WHERE account.owner = 'x'"),
            "INSERT INTO account VALUES (:key, :amount, 'x') ON CONFLICT (id) DO UPDATE SET balance = "
            "account.balance + :amount "
            "WHERE account.owner = 'x'\n");
}

TEST(InsertStatement, LoopsOverTheRowsOfAQuery) {
  EXPECT_EQ(sql("INSERT INTO log (account, amount) SELECT id, balance FROM account WHERE balance > 3"),
            "FOR SELECT id, balance FROM account WHERE balance > 3 INTO id, balance\n"
            "  INSERT INTO log VALUES (DEFAULT, :id, :balance)\n");
}

TEST(UpdateStatement, ReadsWhatItsExpressionsRead) {
  EXPECT_EQ(sql("UPDATE account SET balance = balance + :amount, owner = DEFAULT WHERE id = :key"),
            "UPDATE account SET balance = balance + :amount, owner = NULL WHERE id = :key\n");
  EXPECT_EQ(sql("UPDATE account SET (balance, owner) = (1, 'x')"),
            "UPDATE account SET balance = 1, owner = 'x'\n");
}

TEST(UpdateStatement, LoopsOverAJoinByKey) {
  EXPECT_EQ(sql("UPDATE account a SET balance = balance + l.amount FROM log l WHERE l.account = a.id"),
            "FOR SELECT t1.balance + t2.amount, t1.id FROM account AS t1, log AS t2 WHERE t2.account = t1.id "
            "INTO balance, id\n"
            "  UPDATE account SET balance = :balance WHERE id = :id\n");
  EXPECT_EQ(sql("DELETE FROM log USING account a WHERE a.id = log.account AND a.owner IS NULL"),
            "FOR SELECT t1.id FROM log AS t1, account AS t2 WHERE (t2.id = t1.account) AND (t2.owner IS "
            "NULL) INTO id\n"
            "  DELETE FROM log WHERE id = :id\n");
}

TEST(Expressions, AreSqlAgainWhenPrinted) {
  const std::pair<const char*, const char*> cases[] = {
      {"id BETWEEN 1 AND :amount", "(id >= 1) AND (id <= :amount)"},
      {"id NOT IN (1, 2)", "NOT ((id IN (1, 2)))"},
      {"id = ANY (:keys)", "(id = ANY (:keys))"},
      {"owner IS NOT NULL", "NOT ((owner IS NULL))"},
      {"owner LIKE 'a%'", "(owner LIKE 'a%')"},
      {"owner IS DISTINCT FROM 'x'",
       "NOT (CASE WHEN owner = 'x' THEN true ELSE (owner IS NULL) AND ('x' IS NULL) END)"},
      {"balance > -5", "balance > -5"},
      {"balance > - 0.5", "balance > -0.5"},
      {"(balance > 3) IS NOT TRUE", "NOT (CASE WHEN balance > 3 THEN true ELSE false END)"},
      {"abs(balance) > 2", "CASE WHEN balance < 0 THEN (- balance) ELSE balance END > 2"},
      {"lower(owner) = 'it''s'", "lower(owner) = 'it''s'"},
      {"nullif(balance, 0) = 1", "CASE WHEN balance = 0 THEN NULL ELSE balance END = 1"},
      {"balance = '7'", "balance = 7"},
      {"balance::numeric > 1.5", "balance > 1.5"},
      {"owner = (:key)::text", "owner = CAST(:key AS text)"},
      {"balance % 2 = 0", "(balance % 2) = 0"},
      {"balance = (:keys)[2]", "balance = (:keys)[2]"},
      {"greatest(balance, 0) = 0",
       "CASE WHEN (balance IS NULL) THEN 0 WHEN (0 IS NULL) THEN balance WHEN balance >= 0 THEN balance ELSE "
       "0 END = 0"},
  };
  for (const auto& [written, expected] : cases)
    EXPECT_EQ(sql(fmt::format("DELETE FROM account WHERE {}", written)),
              fmt::format("DELETE FROM account WHERE {}\n", expected));
}

TEST(Functions, OfTheFilesArePutInPlaceOfTheirCalls) {
  const auto read = application(kTables +
                                "CREATE FUNCTION add(who bigint, x bigint) RETURNS void LANGUAGE sql AS "
                                "$$UPDATE account SET balance = balance + x WHERE id = who$$;"
                                "CREATE PROCEDURE move(a bigint, b bigint) LANGUAGE plpgsql AS "
                                "$$BEGIN PERFORM add(a, 1); PERFORM add(b, -1); END$$;\n");
  EXPECT_EQ(statements_of(read, 1),
            "UPDATE account SET balance = balance + 1 WHERE id = :a\n"
            "EMIT any value\n"
            "UPDATE account SET balance = balance + -1 WHERE id = :b\n"
            "EMIT any value\n");
}

TEST(Functions, ThatAreNotKnownMayDoAnything) {
  EXPECT_EQ(sql("SELECT mystery(3)"),
            "OPAQUE mystery() reads account, log writes account, log\nEMIT mystery(3)\n");
  EXPECT_THAT(notes("SELECT mystery(3)"), ElementsAre(HasSubstr("function mystery is not known")));
  EXPECT_THAT(notes("SELECT rank() OVER (ORDER BY id), lag(id) OVER (ORDER BY id) FROM account"), IsEmpty());
  EXPECT_THAT(notes("SELECT rank() OVER w FROM account WINDOW w AS (ORDER BY id)"),
              Contains(HasSubstr("SelectStmt.windowClause is not understood")));
}

TEST(Functions, ThatCallThemselvesEndSomewhere) {
  const auto read =
      application(kTables + "CREATE FUNCTION f(x int) RETURNS int LANGUAGE sql AS $$SELECT f(x - 1)$$;");
  EXPECT_THAT(notes_of(read), Contains(HasSubstr("calls itself")));
}

TEST(Triggers, FollowTheChangesOfTheirTable) {
  const auto read = application(
      kTables +
      "CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN INSERT INTO log VALUES (1,1,1); "
      "RETURN NEW; END$$;"
      "CREATE TRIGGER t AFTER UPDATE ON account FOR EACH ROW EXECUTE FUNCTION g();\n"
      "-- transaction: u\nUPDATE account SET balance = 0;");
  EXPECT_EQ(statements_of(read),
            "FOR SELECT id, balance, owner FROM account FOR UPDATE INTO old.id, old.balance, old.owner\n"
            "  UPDATE account SET balance = 0 WHERE id = :old.id\n"
            "  INSERT INTO log VALUES (1, 1, 1)\n");
  EXPECT_EQ(read.programs.size(), 1u) << "what a trigger calls is no program";
}

TEST(Statements, ThatAreNotUnderstoodMayDoAnything) {
  EXPECT_EQ(sql("TRUNCATE log"), "OPAQUE TruncateStmt reads account, log writes account, log\n");
  EXPECT_THAT(notes("TRUNCATE log"), ElementsAre(HasSubstr("a.sql:3: TruncateStmt is not understood")));
}

TEST(Statements, ThatTakeALockLockItsRow) {
  EXPECT_EQ(sql("LOCK TABLE account IN EXCLUSIVE MODE"), "LOCK TABLE account IN EXCLUSIVE MODE [first]\n");
  EXPECT_EQ(sql("LOCK TABLE account IN SHARE MODE"), "");
  EXPECT_THAT(notes("LOCK TABLE account"), ElementsAre(HasSubstr("a.sql:3: LOCK TABLE: only the order")));
  EXPECT_EQ(sql("SELECT pg_advisory_xact_lock(3)"), "SELECT pg_advisory_xact_lock(3) [first]\n");
  EXPECT_EQ(sql("SELECT pg_advisory_xact_lock(hashtext('a'))"),
            "SELECT pg_advisory_xact_lock(hashtext('a')) [first]\n");
}

TEST(Names, ThatMeanNothingAreErrorsWithALine) {
  EXPECT_EQ(error_of(kTables + "-- transaction: t\n\nSELECT nothing FROM account"),
            "a.sql:4: nothing is neither a column of these tables nor a variable (check its spelling, or add "
            "the CREATE TABLE)");
  EXPECT_EQ(error_of(kTables + "-- transaction: t\nDELETE FROM nowhere"),
            "a.sql:3: there is no table nowhere (add its CREATE TABLE to one of the files)");
  EXPECT_THAT(error_of(kTables + "-- transaction: t\nUPDATE account SET wealth = 1"),
              HasSubstr("table account has no column wealth"));
  EXPECT_THAT(error_of(kTables + "-- transaction: t\nINSERT INTO log VALUES (1, 2, 3, 4)"),
              HasSubstr("more values than columns"));
}

}  // namespace
}  // namespace assay::sql::test

// Which statements of a log are a transaction, and which are left out.
#include "support.h"

namespace assay::sql_log::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kChange = "UPDATE account SET balance = 5 WHERE id = 1";
const std::string kChangeScript =
    "-- transaction: update_account(balance, account_id)\n"
    "UPDATE account SET balance = :balance WHERE id = :account_id;\n";

TEST(Transactions, AreSingleStatementsOutsideOfBlocks) {
  EXPECT_EQ(scripts({kChange, kChange, "DELETE FROM orders"}),
            kChangeScript + "-- transaction: delete_orders()\nDELETE FROM orders;\n");
}

TEST(Transactions, MayBeOneMessage) {
  const std::string both =
      "-- transaction: delete_orders_delete_users()\nDELETE FROM orders;\nDELETE FROM users;\n";
  EXPECT_EQ(scripts({"DELETE FROM orders; DELETE FROM users"}), both);
  EXPECT_EQ(scripts({"BEGIN; DELETE FROM orders; DELETE FROM users; COMMIT"}), both);
  EXPECT_EQ(scripts({"DELETE FROM orders; BEGIN; DELETE FROM users", "COMMIT"}), both);
}

TEST(Transactions, AreJoinedByTheirVirtualId) {
  const auto line = [](const std::string& id, const std::string& sql) {
    return "2026-11-18 20:14:52.100 UTC [7] " + id + " LOG:  execute <unnamed>: " + sql + "\n";
  };
  EXPECT_EQ(scripts_of(derive(line("3/5", "DELETE FROM orders") + line("3/5", "DELETE FROM users") +
                                  line("3/6", "DELETE FROM account"),
                              "%m [%p] %v ")),
            "-- transaction: delete_orders_delete_users()\nDELETE FROM orders;\nDELETE FROM users;\n"
            "-- transaction: delete_account()\nDELETE FROM account;\n");
}

TEST(Transactions, ThatAreRolledBackAreLeftOutUnlessTheyOnlyRead) {
  const auto derived =
      derive(stderr_log({"BEGIN", kChange, "ROLLBACK", "BEGIN", "SELECT n FROM orders", "ROLLBACK"}));
  EXPECT_EQ(scripts_of(derived), "-- transaction: select_orders()\nSELECT n FROM orders;\n");
  EXPECT_THAT(notes_of(derived),
              HasSubstr("a.log:2: transactions left out because they were rolled back: 1, this one first"));
}

TEST(Transactions, ThatFailAreLeftOut) {
  const auto derived = derive(stderr_log(
      {"BEGIN", kChange, "ERROR:  deadlock detected", "STATEMENT:  " + kChange, "COMMIT", "DELETE FROM users",
       "ERROR:  violates foreign key", "STATEMENT:  DELETE FROM users", "DELETE FROM orders"}));
  EXPECT_EQ(scripts_of(derived), "-- transaction: delete_orders()\nDELETE FROM orders;\n");
}

// A server that logs durations logs a statement when it has succeeded; an error is about another one.
TEST(Transactions, SurviveTheErrorOfALaterStatement) {
  EXPECT_EQ(scripts({"LOG:  duration: 1.0 ms  statement: " + kChange, "ERROR:  division by zero",
                     "STATEMENT:  SELECT 1/0"}),
            kChangeScript);
}

TEST(Transactions, WithoutBeginningOrEndAreLeftOut) {
  const auto derived = derive(stderr_log({kChange, "COMMIT", "BEGIN", "DELETE FROM users"}));
  EXPECT_EQ(scripts_of(derived), kChangeScript);
  EXPECT_THAT(
      notes_of(derived),
      AllOf(HasSubstr("a.log:2: COMMIT without BEGIN"),
            HasSubstr(
                "a.log:4: transactions left out because their end is not in the log: 1, this one first")));
}

TEST(Transactions, EndWithTheirSession) {
  EXPECT_EQ(scripts({kChange, "BEGIN", "DELETE FROM users", "LOG:  disconnection: session time: 0:00:00.1",
                     "LOG:  connection received: host=[local]", "DELETE FROM orders"}),
            kChangeScript + "-- transaction: delete_orders()\nDELETE FROM orders;\n");
}

TEST(Transactions, ThatChangeTheSchemaAreLeftOut) {
  const auto derived = derive(stderr_log({"BEGIN", "ALTER TABLE users ADD x int", "UPDATE users SET x = 1",
                                          "COMMIT", "CREATE INDEX i ON users (x)", kChange}));
  EXPECT_EQ(scripts_of(derived), kChangeScript);
  EXPECT_THAT(notes_of(derived),
              HasSubstr("a.log:2: transactions left out because they change the schema: 2, this one first"));
}

TEST(Savepoints, StayWhereSomebodyGoesBack) {
  EXPECT_EQ(scripts({"BEGIN", "SAVEPOINT s1_x7", "DELETE FROM users", "RELEASE SAVEPOINT s1_x7", "COMMIT"}),
            "-- transaction: delete_users()\nDELETE FROM users;\n");
  EXPECT_EQ(scripts({"BEGIN", "SAVEPOINT s1_x7", "DELETE FROM users", "ERROR:  violates foreign key",
                     "STATEMENT:  DELETE FROM users", "ROLLBACK TO SAVEPOINT s1_x7",
                     "RELEASE SAVEPOINT s1_x7", "DELETE FROM orders", "COMMIT"}),
            "-- transaction: delete_users_delete_orders()\nSAVEPOINT sp1;\nDELETE FROM users;\n"
            "ROLLBACK TO SAVEPOINT sp1;\nDELETE FROM orders;\n");
}

// A statement that fails was not logged by a server that logs durations, and may be why others follow.
TEST(Savepoints, KeepAStatementThatIsKnownFromItsErrorOnly) {
  EXPECT_THAT(
      scripts({"BEGIN", "SAVEPOINT a", "ERROR:  duplicate key",
               "STATEMENT:  INSERT INTO users VALUES (1, 'x')", "ROLLBACK TO a", "DELETE FROM orders",
               "COMMIT"}),
      HasSubstr(
          "SAVEPOINT sp1;\nINSERT INTO users VALUES (:users_id, :name);\nROLLBACK TO SAVEPOINT sp1;\n"));
}

TEST(Levels, AreCounted) {
  const auto derived = derive(stderr_log(
      {"BEGIN ISOLATION LEVEL SERIALIZABLE", "SET TRANSACTION READ WRITE", kChange, "COMMIT", "BEGIN",
       "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", kChange, "COMMIT", "BEGIN", kChange, "COMMIT",
       "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE", kChange}));
  EXPECT_EQ(scripts_of(derived), kChangeScript);
  EXPECT_THAT(derived->scripts, AllOf(HasSubstr("-- isolation level repeatable read: 1 of 4\n"),
                                      HasSubstr("-- isolation level serializable: 2 of 4\n")));
}

TEST(Levels, ThatAllTransactionsAskForAreOfTheProgram) {
  const auto derived = derive(
      stderr_log({"BEGIN ISOLATION LEVEL REPEATABLE READ", kChange, "COMMIT",
                  "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE", kChange}));
  EXPECT_THAT(derived->scripts, HasSubstr("\nBEGIN ISOLATION LEVEL repeatable read;\n"));
}

TEST(Talk, OfDriversAndFrameworksIsNoWork) {
  EXPECT_EQ(
      scripts({"SET client_encoding TO 'UTF8'", "SHOW server_version", "SELECT version()", "DISCARD ALL",
               "DEALLOCATE a1", "SELECT pg_catalog.set_config('TimeZone', 'UTC', false)", "SELECT 1", "",
               "SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
               "WHERE pg_catalog.pg_table_is_visible(c.oid)",
               "SELECT table_name FROM information_schema.tables",
               "WITH t AS (SELECT oid FROM pg_type) SELECT * FROM t", kChange}),
      kChangeScript);
}

TEST(Talk, ThatTouchesRowsIsWork) {
  const std::string both = scripts(
      {"SELECT audit(1)", "SELECT p.oid FROM pg_class p, users", "SET session_replication_role = replica"});
  EXPECT_THAT(both, AllOf(HasSubstr("SELECT audit("), HasSubstr("SELECT p.oid FROM pg_class p, users"),
                          HasSubstr("SET session_replication_role TO replica")));
}

TEST(Talk, ThatChangesWhatNamesMeanIsNoted) {
  const auto derived = derive(stderr_log({"SET search_path TO tenant7", kChange}));
  EXPECT_EQ(scripts_of(derived), kChangeScript);
  EXPECT_THAT(notes_of(derived), HasSubstr("a.log:1: SET search_path is not followed"));
}

// The table of a Rails plugin.
TEST(Talk, IsNotWhatNamesATableOfTheSchema) {
  auto schema = sql::read_schema({{"s.sql", "CREATE TABLE pg_search_documents (id int PRIMARY KEY);"}});
  ASSERT_TRUE(schema);
  EXPECT_THAT(scripts_of(derive_programs({{"a.log", stderr_log({"SELECT id FROM pg_search_documents"})}},
                                         *schema, "")),
              HasSubstr("SELECT id FROM pg_search_documents;"));
}

TEST(IncompleteLogs, AreNoted) {
  EXPECT_THAT(notes_of(derive(stderr_log({kChange}))),
              HasSubstr("a.log:1: the log has nothing but changes, so it may lack what transactions read"));
  EXPECT_THAT(notes_of(derive(stderr_log({kChange, "SHOW x"}))), Not(HasSubstr("nothing but changes")));
  const std::string slow = "LOG:  duration: 200.5 ms  statement: ",
                    quick = "LOG:  duration: 0.2 ms  statement: ";
  EXPECT_THAT(notes_of(derive(stderr_log({slow + "SELECT n FROM orders", slow + kChange}))),
              HasSubstr("a.log:1: the fastest statement of the log took 200 ms, so it may lack others"));
  EXPECT_THAT(notes_of(derive(stderr_log({slow + "SELECT n FROM orders", quick + kChange}))),
              Not(HasSubstr("the fastest")));
}

TEST(Cursors, AreTheirQueries) {
  EXPECT_EQ(scripts({"BEGIN", "DECLARE c NO SCROLL CURSOR WITH HOLD FOR SELECT n FROM orders WHERE id = 4",
                     "FETCH 100 FROM c", "CLOSE c", "COMMIT"}),
            "-- transaction: select_orders(orders_id)\nSELECT n FROM orders WHERE id = :orders_id;\n");
  EXPECT_THAT(scripts({"BEGIN", "DECLARE c CURSOR FOR SELECT n FROM orders FOR UPDATE", "COMMIT"}),
              HasSubstr("DECLARE c CURSOR FOR SELECT n FROM orders FOR UPDATE;\n"));
}

TEST(UnreadableStatements, CostTheirProgramOnly) {
  const auto derived = derive(stderr_log(
      {"BEGIN", kChange, "SELEKT 1", "COMMIT", kChange, "SELECT id FROM users WHERE name::jsonb ? 'x'"}));
  EXPECT_EQ(scripts_of(derived), kChangeScript);
  EXPECT_THAT(
      notes_of(derived),
      AllOf(HasSubstr(
                "a.log:2: program update_account_other, seen 1 time, cannot be read, no answer is about it: "
                "syntax error at or near \"SELEKT\""),
            HasSubstr("a.log:6: program select_users, seen 1 time, cannot be read")));
}

}  // namespace
}  // namespace assay::sql_log::test

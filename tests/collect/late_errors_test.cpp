// Errors that come after the first row of a result. The tables of a run are replaced by views whose second
// row fails: a statement of the adapter, which was prepared before, then gets one row and an error.
#include <gmock/gmock.h>
#include <mysql.h>
#include <sqlite3.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "collect/adapter_contract.h"
#include "collect/server.h"
#include "collect/sql_session.h"
#include "collect/temporary_directory.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

// A server, with its data where it is allowed to write, and nothing of it left afterwards.
class LateErrors : public testing::Test {
 protected:
  LateErrors() : place_(TemporaryDirectory::create().value()) {
    std::filesystem::permissions(place_.path(), std::filesystem::perms(0711));
    setenv("TMPDIR", place_.path().c_str(), 1);
  }
  ~LateErrors() override { unsetenv("TMPDIR"); }

  TemporaryDirectory place_;
};

// A session beside those of the adapter.
class MariadbSession {
 public:
  explicit MariadbSession(const std::string& url) : link_(mysql_init(nullptr)) {
    const std::string socket = parse_url(url)->option("socket");
    if (!mysql_real_connect(link_, "localhost", "root", nullptr, nullptr, 0, socket.c_str(), 0))
      throw std::runtime_error(mysql_error(link_));
  }
  ~MariadbSession() { mysql_close(link_); }

  void run(const std::string& sql) {
    ASSERT_EQ(mysql_query(link_, sql.c_str()), 0) << sql << ": " << mysql_error(link_);
    mysql_free_result(mysql_store_result(link_));
  }
  std::string ask(const std::string& sql) {
    if (mysql_query(link_, sql.c_str()) != 0) return mysql_error(link_);
    MYSQL_RES* const rows = mysql_store_result(link_);
    const MYSQL_ROW row = mysql_fetch_row(rows);
    std::string answer = row == nullptr ? "" : row[0];
    mysql_free_result(rows);
    return answer;
  }

 private:
  MYSQL* link_;
};

constexpr std::string_view kTables =
    "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables "
    "WHERE table_schema LIKE 'assay%' AND table_type = 'BASE TABLE'";

// Key 0 has every row of the table; `value` of the second one is up to the test.
void put_a_view_before(MariadbSession& session, const std::string& table, const std::string& value) {
  session.run(fmt::format("RENAME TABLE {0} TO {0}_base", table));
  session.run(fmt::format("CREATE SQL SECURITY INVOKER VIEW {0} AS SELECT 0 AS k, {1} AS v FROM {0}_base",
                          table, value));
}

// A function of rows that fails for all but the first one.
std::string failing_function(MariadbSession& session, const std::string& table, const std::string& failure) {
  const std::string name = table + "_fails";
  session.run(
      fmt::format("CREATE FUNCTION {}(k BIGINT) RETURNS BIGINT DETERMINISTIC "
                  "BEGIN IF k > 0 THEN {}; END IF; RETURN 7; END",
                  name, failure));
  return name + "(k)";
}

TEST_F(LateErrors, OfMariadbAreWhatTheServerSays) {
  auto server = Server::start("mariadb");
  ASSERT_TRUE(server) << server.error().describe();
  const auto database = opened(server->url());
  MariadbSession session(server->url());
  const std::pair<std::string, Reply> failures[] = {
      {"SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213", Reply::Aborted},
      {"SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1927", Reply::Lost},
      {"SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1644, MESSAGE_TEXT = 'no such day'", Reply::Broken}};
  for (const auto& [failure, expected] : failures)
    for (const DataKind data : {DataKind::Registers, DataKind::Lists}) {
      ASSERT_TRUE(database->prepare(data, 3));
      const std::string table = session.ask(std::string(kTables));
      if (data == DataKind::Lists)
        session.run(fmt::format("INSERT INTO {} (k, v) VALUES (0, ''), (1, '')", table));
      const auto client = connected(*database);
      put_a_view_before(session, table, failing_function(session, table, failure));
      ASSERT_EQ(client->begin(), Reply::Done) << client->problem();
      std::int64_t value = 0;
      std::vector<std::int64_t> elements;
      const Reply reply = data == DataKind::Lists ? client->read_list(StoreKey(0), elements)
                                                  : client->read(StoreKey(0), value);
      EXPECT_EQ(reply, expected) << failure;
      if (expected == Reply::Broken) {
        EXPECT_EQ(client->problem(), "no such day");
      }
      EXPECT_EQ(client->rollback(), Reply::Done) << client->problem();
    }
}

// Client a has read the first row when the server ends it to break a deadlock on the second.
TEST_F(LateErrors, OfMariadbMayBeADeadlock) {
  auto server = Server::start("mariadb");
  ASSERT_TRUE(server) << server.error().describe();
  const auto database = opened(server->url());
  ASSERT_TRUE(database->prepare(DataKind::Registers, 50));
  MariadbSession session(server->url());
  const std::string table = session.ask(std::string(kTables));
  const auto a = connected(*database, "serializable");
  put_a_view_before(session, table, "v");
  ASSERT_EQ(a->begin(), Reply::Done);
  session.run("BEGIN");
  session.run(
      fmt::format("UPDATE {}_base SET v = 1 WHERE k > 0", table));  // more than a did: a is the victim
  Reply reply = Reply::Done;
  std::thread reader([&] {
    std::int64_t value = 0;
    reply = a->read(StoreKey(0), value);
  });
  const std::string waits = "SELECT COUNT(*) FROM information_schema.innodb_lock_waits";
  for (int i = 0; i < 200 && session.ask(waits) == "0"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  session.run(fmt::format("UPDATE {}_base SET v = 1 WHERE k = 0", table));
  reader.join();
  session.run("COMMIT");
  EXPECT_EQ(reply, Reply::Aborted);
  EXPECT_THAT(a->problem(), HasSubstr("Deadlock"));
  EXPECT_EQ(a->rollback(), Reply::Done);
}

// What the server ended without an error was not committed by the COMMIT that follows.
TEST_F(LateErrors, OfMariadbAreNoticedAtCommitWhenNoStatementReportedThem) {
  auto server = Server::start("mariadb");
  ASSERT_TRUE(server) << server.error().describe();
  const auto database = opened(server->url());
  ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
  const auto client = connected(*database);
  ASSERT_EQ(client->begin(), Reply::Done);
  EXPECT_EQ(value_of(*client, 0), 0);
  ASSERT_EQ(client->rollback(), Reply::Done);  // as if the server had done it
  EXPECT_EQ(client->commit(), Reply::Broken);
  EXPECT_THAT(client->problem(), HasSubstr("ended the transaction before its commit"));
}

TEST_F(LateErrors, OfMariadbAreNoticedAtTheNextStatement) {
  auto server = Server::start("mariadb");
  ASSERT_TRUE(server) << server.error().describe();
  const auto database = opened(server->url());
  for (const DataKind data : {DataKind::Registers, DataKind::Lists}) {
    ASSERT_TRUE(database->prepare(data, 2));
    const auto client = connected(*database), other = connected(*database);
    ASSERT_EQ(client->begin(), Reply::Done);
    ASSERT_EQ(client->rollback(), Reply::Done);  // as if the server had done it
    if (data == DataKind::Registers) {
      EXPECT_EQ(client->write(StoreKey(0), 5), Reply::Alone);
      std::int64_t value = 0;
      EXPECT_EQ(client->read(StoreKey(0), value), Reply::Alone);
      EXPECT_EQ(value, 5);
      EXPECT_EQ(client->write(StoreKey(9), 5), Reply::Lost);  // what it did, nobody knows
    } else {
      EXPECT_EQ(client->append(StoreKey(0), 5), Reply::Alone);
      std::vector<std::int64_t> elements;
      EXPECT_EQ(client->read_list(StoreKey(0), elements), Reply::Alone);
      EXPECT_THAT(elements, testing::ElementsAre(5));
    }
  }
}

TEST_F(LateErrors, OfPostgresqlAreWhatTheServerSays) {
  auto server = Server::start("postgres");
  ASSERT_TRUE(server) << server.error().describe();
  const auto database = opened(server->url());
  const auto session = open_sql_session(parse_url(server->url()).value()).value();
  const auto run = [&](const std::string& sql) {
    ASSERT_EQ(session->run(sql), Reply::Done) << sql << ": " << session->problem();
  };
  for (const auto& [state, expected] :
       {std::pair("40001", Reply::Aborted), {"40003", Reply::Lost}, {"22012", Reply::Broken}}) {
    ASSERT_TRUE(database->prepare(DataKind::Registers, 3));
    std::vector<SqlRow> names;
    ASSERT_EQ(
        session->run("SELECT schemaname, tablename FROM pg_tables WHERE schemaname LIKE 'assay%'", names),
        Reply::Done);
    const auto client = connected(*database);
    const std::string schema = *names.at(0).at(0), table = *names.at(0).at(1);
    run(
        fmt::format("CREATE FUNCTION {}.fails(k int8) RETURNS int8 LANGUAGE plpgsql AS "
                    "$$BEGIN IF k > 0 THEN RAISE SQLSTATE '{}'; END IF; RETURN 7; END$$",
                    schema, state));
    run(fmt::format("ALTER TABLE {}.{} RENAME TO base", schema, table));
    run(fmt::format("CREATE VIEW {0}.{1} AS SELECT 0::int8 AS k, {0}.fails(k) AS v FROM {0}.base", schema,
                    table));
    ASSERT_EQ(client->begin(), Reply::Done);
    std::int64_t value = 0;
    EXPECT_EQ(client->read(StoreKey(0), value), expected) << state;
    // The transaction has failed. COMMIT is answered with success, and rolls back.
    EXPECT_EQ(client->commit(), Reply::Aborted);
  }
  EXPECT_EQ(session->run("BEGIN"), Reply::Done);
  EXPECT_EQ(session->run("SELECT 1 / 0"), Reply::Broken);
  EXPECT_EQ(session->run("COMMIT"), Reply::Aborted);
}

// abs() of the least integer is an error, and the second row has it.
TEST(LateErrorsOfSqlite, AreNotLost) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/x.db";
  for (const bool fails : {true, false}) {
    const auto database = opened("sqlite:" + path);
    ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
    sqlite3* file = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &file), SQLITE_OK);
    std::string table;
    sqlite3_exec(
        file, "SELECT name FROM sqlite_master WHERE type = 'table'",
        [](void* name, int, char** row, char**) {
          *static_cast<std::string*>(name) = row[0];
          return 0;
        },
        &table, nullptr);
    const auto client = connected(*database);
    const std::string value = fails ? "abs(CASE k WHEN 0 THEN 7 ELSE -9223372036854775807 - 1 END)" : "7";
    const std::string sql = fmt::format(
        "ALTER TABLE {0} RENAME TO {0}_base; CREATE VIEW {0} AS SELECT 0 AS k, {1} AS v FROM {0}_base", table,
        value);
    char* problem = nullptr;
    ASSERT_EQ(sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
    ASSERT_EQ(client->begin(), Reply::Done);
    std::int64_t read = 0;
    EXPECT_EQ(client->read(StoreKey(0), read), Reply::Broken);
    EXPECT_EQ(client->problem(), fails ? "integer overflow" : "a read of one key returned 2 rows");
    EXPECT_EQ(client->rollback(), Reply::Done);
    sqlite3_exec(file, fmt::format("DROP VIEW {0}; DROP TABLE {0}_base", table).c_str(), nullptr, nullptr,
                 nullptr);
    sqlite3_close(file);
  }
}

}  // namespace
}  // namespace assay::test

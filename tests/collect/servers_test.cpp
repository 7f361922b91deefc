// The adapters against real servers that we start: one test for each, because starting takes a second or two.
#include "collect/server.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "collect/adapter_contract.h"
#include "collect/adapters.h"
#include "collect/sql_session.h"
#include "collect/temporary_directory.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

// A writer on a snapshot that somebody has written over is refused.
void refuses_an_old_snapshot(Database& database, std::string_view level) {
  ASSERT_TRUE(database.prepare(DataKind::Registers, 2));
  const auto a = connected(database, level), b = connected(database, level);
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 0), 0);
  ASSERT_EQ(b->begin(), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(0), 1), Reply::Done);
  ASSERT_EQ(b->commit(), Reply::Done);
  EXPECT_EQ(a->write(StoreKey(0), 2), Reply::Aborted) << a->problem();
  ASSERT_EQ(a->rollback(), Reply::Done);
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 0), 1);
  ASSERT_EQ(a->commit(), Reply::Done);
}

// But InnoDB does not count an update to the value that is there already: nothing was written over.
void overlooks_an_update_that_changes_nothing(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Registers, 2));
  const auto a = connected(database, "snapshot"), b = connected(database, "snapshot");
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 1), 0);  // takes the snapshot
  ASSERT_EQ(b->begin(), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(0), 0), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(1), 1), Reply::Done);
  ASSERT_EQ(b->commit(), Reply::Done);
  EXPECT_EQ(a->write(StoreKey(0), 2), Reply::Done) << a->problem();
  ASSERT_EQ(a->commit(), Reply::Done);
}

// An update waits where the row was in the index; meanwhile the row goes to the end of the range and then to
// its beginning, which lies behind. Whether it is waiting when the row moves is a matter of time, so there
// are several tries.
bool misses_a_row_that_moves(Database& database, std::chrono::milliseconds patience) {
  EXPECT_TRUE(database.prepare(
      DataKind::Registers, std::make_shared<RowTable>(true, std::vector<std::int64_t>{two_columns(500, 0)})));
  const auto a = connected(database, "read-committed"), b = connected(database, "read-committed");
  const RowFilter all{RowColumn::V1, 100, 1000}, row{RowColumn::V2, 0, 0};
  const auto moves_to = [&](std::int64_t place) {
    return rows_of(*a, by_predicate(RowAction::Update, row, place)).size() == 1;
  };
  EXPECT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(b->begin(), Reply::Done);
  EXPECT_TRUE(moves_to(900));
  RowsByKey found;
  std::thread update([&] { found = rows_of(*b, by_predicate(RowAction::Update, all, 1)); });
  std::this_thread::sleep_for(patience);
  EXPECT_TRUE(moves_to(200));
  EXPECT_EQ(a->commit(), Reply::Done);
  update.join();
  EXPECT_EQ(rows_of(*b, by_predicate(RowAction::Select, all)).size(), 1u);
  EXPECT_EQ(b->commit(), Reply::Done);
  return found.empty();
}

// Every version of the row is in the range, and PostgreSQL finds the newest.
void may_miss_a_row_that_moves(Database& database, bool may) {
  if (!may) {
    EXPECT_FALSE(misses_a_row_that_moves(database, std::chrono::milliseconds(300)));
    return;
  }
  bool missed = false;
  for (int patience = 100; patience <= 1600 && !missed; patience *= 2)
    missed = misses_a_row_that_moves(database, std::chrono::milliseconds(patience));
  EXPECT_TRUE(missed);
}

void breaks_a_deadlock(Database& database) {
  ASSERT_TRUE(database.prepare(DataKind::Registers, 2));
  const auto a = connected(database, "read-committed"), b = connected(database, "read-committed");
  ASSERT_EQ(a->begin(), Reply::Done);
  ASSERT_EQ(b->begin(), Reply::Done);
  ASSERT_EQ(a->write(StoreKey(0), 1), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(1), 1), Reply::Done);
  const auto then = [](Connection& c, std::size_t key) {
    const Reply reply = c.write(StoreKey(key), 2);
    EXPECT_EQ(c.rollback(), Reply::Done) << c.problem();
    return reply;
  };
  Reply of_a = Reply::Done;
  std::thread other([&] { of_a = then(*a, 1); });
  const Reply of_b = then(*b, 0);
  other.join();
  EXPECT_EQ((of_a == Reply::Aborted) + (of_b == Reply::Aborted), 1);
  EXPECT_EQ((of_a == Reply::Done) + (of_b == Reply::Done), 1);
}

void whole_contract(std::string_view kind, std::string_view snapshot_level) {
  auto place = TemporaryDirectory::create();
  std::filesystem::permissions(place->path(), std::filesystem::perms(0711));  // for the server's user
  setenv("TMPDIR", place->path().c_str(), 1);
  {
    auto server = Server::start(kind);
    ASSERT_TRUE(server) << server.error().describe();
    const auto database = opened(server->url());
    keeps_registers(*database);
    keeps_lists(*database);
    keeps_columns_of_tables(*database);
    keeps_rows(*database);
    finds_rows_by_predicate(*database);
    refuses_an_old_snapshot(*database, snapshot_level);
    if (kind == "mariadb") overlooks_an_update_that_changes_nothing(*database);
    may_miss_a_row_that_moves(*database, kind == "mariadb");
    breaks_a_deadlock(*database);

    ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
    const auto at_commit = connected(*database), before = connected(*database);
    ASSERT_EQ(at_commit->begin(), Reply::Done);
    ASSERT_EQ(at_commit->write(StoreKey(0), 1), Reply::Done);
    ASSERT_EQ(before->begin(), Reply::Done);
    { const Server gone = std::move(*server); }
    EXPECT_EQ(at_commit->commit(), Reply::Lost) << at_commit->problem();
    std::int64_t value = 0;
    EXPECT_EQ(before->read(StoreKey(0), value), Reply::Lost) << before->problem();
    EXPECT_FALSE(database->connect(database->levels().front()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place->path()));
  unsetenv("TMPDIR");
}

TEST(Servers, PostgresqlKeepsTheContract) { whole_contract("postgres", "repeatable-read"); }
TEST(Servers, MariadbKeepsTheContract) { whole_contract("mariadb", "snapshot"); }

TEST(Servers, AreNamedWhenUnknown) {
  EXPECT_EQ(Server::start("oracle").error().describe(),
            "no server oracle can be started (postgres or mariadb)");
}

// The default of the role is long. Who may not set it is told so.
TEST(Deadlocks, OfPostgresqlAreFoundSoon) {
  const auto place = TemporaryDirectory::create().value();
  std::filesystem::permissions(place.path(), std::filesystem::perms(0711));
  setenv("TMPDIR", place.path().c_str(), 1);
  const auto server = Server::start("postgres").value();
  unsetenv("TMPDIR");
  const auto session = open_sql_session(parse_url(server.url()).value()).value();
  for (const char* sql : {"ALTER ROLE assay SET deadlock_timeout = '1min'", "CREATE ROLE plain LOGIN",
                          "GRANT CREATE ON DATABASE postgres TO plain"})
    ASSERT_EQ(session->run(sql), Reply::Done) << session->problem();
  const auto database = opened(server.url());
  ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
  EXPECT_EQ(database->slowness(), "");
  const auto a = connected(*database), b = connected(*database);
  ASSERT_EQ(a->begin(), Reply::Done);
  ASSERT_EQ(b->begin(), Reply::Done);
  ASSERT_EQ(a->write(StoreKey(0), 1), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(1), 1), Reply::Done);
  Reply other = Reply::Done;
  std::thread waits([&] { other = a->write(StoreKey(1), 2); });
  const Reply reply = b->write(StoreKey(0), 2);
  if (reply != Reply::Done) {
    EXPECT_EQ(b->rollback(), Reply::Done);
  }
  waits.join();
  EXPECT_TRUE((reply == Reply::Aborted) != (other == Reply::Aborted));
  EXPECT_THAT((reply == Reply::Aborted ? b : a)->problem(), HasSubstr("deadlock detected"));

  std::string url = server.url();
  url.replace(url.find("user=assay"), 10, "user=plain");
  const auto plain = opened(url);
  ASSERT_TRUE(plain->prepare(DataKind::Registers, 2));
  EXPECT_THAT(plain->slowness(), HasSubstr("GRANT SET ON PARAMETER deadlock_timeout"));
  (void)connected(*plain);
}

TEST(ErrorCodes, MeanWhatTheUserSays) {
  const std::vector<std::string> texts{"25006=aborted", "1290=unknown", "40001=fatal"};
  const auto said = parse_treatments(texts);
  ASSERT_TRUE(said);
  EXPECT_EQ(treated(*said, "25006", Reply::Broken), Reply::Aborted);
  EXPECT_EQ(treated(*said, "1290", Reply::Broken), Reply::Lost);
  EXPECT_EQ(treated(*said, "40001", Reply::Aborted), Reply::Broken);
  EXPECT_EQ(treated(*said, "40P01", Reply::Aborted), Reply::Aborted);
  for (const char* wrong : {"", "=aborted", "40001", "40001=maybe", "40001="})
    EXPECT_FALSE(parse_treatments(std::vector<std::string>{wrong})) << wrong;
}

TEST(Leftovers, AreKnownByTheirNames) {
  EXPECT_TRUE(is_unused_name(unused_name()));
  for (const char* other :
       {"", "assay_", "assay_1234567", "assay_123456789", "assay_1234567G", "public", "assay_results"})
    EXPECT_FALSE(is_unused_name(other)) << other;
}

TEST(ErrorCodes, OfPostgresqlMeanWhatTheyMean) {
  for (const char* state : {"40001", "40P01", "55P03", "57014", "23505", "25P02"})
    EXPECT_EQ(classify_sqlstate(state), Reply::Aborted) << state;
  for (const char* state : {"08006", "08003", "57P01", "57P02", "57P03", "40003", "25P03"})
    EXPECT_EQ(classify_sqlstate(state), Reply::Lost) << state;
  for (const char* state : {"42601", "42P01", "53100", "28P01", "XX000"})
    EXPECT_EQ(classify_sqlstate(state), Reply::Broken) << state;
}

TEST(ErrorCodes, OfMariadbMeanWhatTheyMean) {
  for (const unsigned code : {1213u, 1205u, 1020u, 1062u})
    EXPECT_EQ(classify_mariadb(code), Reply::Aborted) << code;
  for (const unsigned code : {2006u, 2013u, 1927u, 1053u, 2002u})
    EXPECT_EQ(classify_mariadb(code), Reply::Lost) << code;
  for (const unsigned code : {1064u, 1146u, 1045u, 1114u})
    EXPECT_EQ(classify_mariadb(code), Reply::Broken) << code;
}

TEST(Connecting, SaysWhereAndNeverWithWhichPassword) {
  for (const char* url : {"postgresql://joe:hunter2@127.0.0.1:1/x", "mariadb://joe:hunter2@127.0.0.1:1"}) {
    const auto database = open_database(parse_url(url).value(), {});
    ASSERT_FALSE(database);
    EXPECT_THAT(database.error().describe(), HasSubstr("joe:***@127.0.0.1:1"));
    EXPECT_THAT(database.error().describe(), testing::Not(HasSubstr("hunter2")));
  }
}

}  // namespace
}  // namespace assay::test

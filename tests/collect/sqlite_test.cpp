#include <gmock/gmock.h>
#include <sqlite3.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "collect/adapter_contract.h"
#include "collect/adapters.h"
#include "collect/temporary_directory.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

TEST(Sqlite, KeepsRegistersListsAndRows) {
  for (const char* url : {"sqlite:", "sqlite:?journal=delete"}) {
    keeps_registers(*opened(url));
    keeps_lists(*opened(url));
    keeps_columns_of_tables(*opened(url));
    keeps_rows(*opened(url));
    finds_rows_by_predicate(*opened(url));
  }
}

TEST(Sqlite, AbortsTheOneThatWritesOnAnOldSnapshot) {
  const auto database = opened("sqlite:");
  ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
  const auto a = connected(*database), b = connected(*database);
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 0), 0);
  ASSERT_EQ(b->begin(), Reply::Done);
  ASSERT_EQ(b->write(StoreKey(0), 1), Reply::Done);
  ASSERT_EQ(b->commit(), Reply::Done);
  EXPECT_EQ(a->write(StoreKey(1), 1), Reply::Aborted);
  EXPECT_THAT(a->problem(), HasSubstr("locked"));
  ASSERT_EQ(a->rollback(), Reply::Done);
  ASSERT_EQ(a->begin(), Reply::Done);
  EXPECT_EQ(value_of(*a, 0), 1);
}

TEST(Sqlite, ReadsErrorCodesForWhatTheyMean) {
  for (const int code :
       {SQLITE_BUSY, SQLITE_BUSY_SNAPSHOT, SQLITE_BUSY_TIMEOUT, SQLITE_LOCKED, SQLITE_ABORT_ROLLBACK})
    EXPECT_EQ(classify_sqlite(code), Reply::Aborted) << code;
  for (const int code :
       {SQLITE_ERROR, SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_CORRUPT, SQLITE_READONLY, SQLITE_MISUSE})
    EXPECT_EQ(classify_sqlite(code), Reply::Broken) << code;
  for (const int code : {SQLITE_OK, SQLITE_ROW, SQLITE_DONE}) EXPECT_EQ(classify_sqlite(code), Reply::Done);
}

// What a statement gives, first column, all rows one after the other.
std::string asked_of(const std::string& path, const std::string& sql) {
  sqlite3* file = nullptr;
  sqlite3_open(path.c_str(), &file);
  std::string answer;
  const auto add = [](void* to, int, char** row, char**) {
    *static_cast<std::string*>(to) += row[0];
    return 0;
  };
  char* problem = nullptr;
  if (sqlite3_exec(file, sql.c_str(), add, &answer, &problem) != SQLITE_OK) answer = problem;
  sqlite3_close(file);
  return answer;
}

TEST(Sqlite, LeavesAFileOfTheUsersAsItWas) {
  for (const std::string mode : {"delete", "wal"})
    for (const std::string asked : {"", "?journal=wal", "?journal=delete", "?journal=truncate"}) {
      auto directory = TemporaryDirectory::create();
      const std::string path = directory->path() + "/mine.db";
      ASSERT_EQ(asked_of(path, "PRAGMA journal_mode=" + mode), mode);
      asked_of(path, "CREATE TABLE mine (x); INSERT INTO mine VALUES (42)");
      {
        const auto database = opened("sqlite:" + path + asked);
        keeps_registers(*database);
        keeps_rows(*database);
        if (asked.empty()) {
          EXPECT_EQ(asked_of(path, "PRAGMA journal_mode"), mode);
        }
      }
      EXPECT_EQ(asked_of(path, "PRAGMA journal_mode"), mode) << asked;
      EXPECT_EQ(asked_of(path, "SELECT name FROM sqlite_master"), "mine");
      EXPECT_EQ(asked_of(path, "SELECT x FROM mine"), "42");
      for (const auto& left : std::filesystem::directory_iterator(directory->path()))
        EXPECT_EQ(left.path().filename(), "mine.db");
    }
}

TEST(Sqlite, LeavesAFileOfTheUsersAsItWasWhenTheRunFails) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/mine.db";
  asked_of(path, "CREATE TABLE mine (x)");
  {
    const auto database = opened("sqlite:" + path + "?journal=wal");
    ASSERT_TRUE(database->prepare(DataKind::Registers, 2));
    const auto client = connected(*database);
    ASSERT_EQ(client->begin(), Reply::Done);
    ASSERT_EQ(client->write(StoreKey(0), 1), Reply::Done);  // and never ends
  }
  EXPECT_EQ(asked_of(path, "PRAGMA journal_mode"), "delete");
  EXPECT_EQ(asked_of(path, "SELECT name FROM sqlite_master"), "mine");
}

// A file system that counts how often a file is synced.
int syncs = 0;
int (*real_open)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*);
int (*real_sync)(sqlite3_file*, int);
int counting_sync(sqlite3_file* file, int flags) {
  ++syncs;
  return real_sync(file, flags);
}
int counting_open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
  const int code = real_open(vfs, name, file, flags, out);
  if (code != SQLITE_OK || file->pMethods == nullptr || file->pMethods->xSync == counting_sync) return code;
  static std::deque<sqlite3_io_methods> changed;
  changed.push_back(*file->pMethods);
  real_sync = changed.back().xSync;
  changed.back().xSync = counting_sync;
  file->pMethods = &changed.back();
  return code;
}

int syncs_of(const std::string& url) {
  sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  real_open = std::exchange(vfs->xOpen, counting_open);
  {
    const auto database = opened(url);
    EXPECT_TRUE(database->prepare(DataKind::Registers, 2));
    const auto client = connected(*database);
    syncs = 0;
    EXPECT_EQ(client->begin(), Reply::Done);
    EXPECT_EQ(client->write(StoreKey(0), 1), Reply::Done);
    EXPECT_EQ(client->commit(), Reply::Done);
  }
  vfs->xOpen = real_open;
  return syncs;
}

TEST(Sqlite, DoesNotWeakenTheDurabilityOfAFileOfTheUsers) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/mine.db";
  asked_of(path, "CREATE TABLE mine (x)");
  EXPECT_GT(syncs_of("sqlite:" + path), 0);
  EXPECT_EQ(syncs_of("sqlite:"), 0);
}

TEST(Sqlite, RefusesAFileThatIsNoDatabase) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/letter.txt";
  std::ofstream(path) << std::string(2000, 'x');
  const auto database = open_database(parse_url("sqlite:" + path).value(), {});
  ASSERT_FALSE(database);
  EXPECT_THAT(database.error().describe(), HasSubstr("file is not a database"));
  EXPECT_EQ(std::filesystem::file_size(path), 2000u);
}

TEST(Sqlite, SaysWhatItCannotOpen) {
  const auto database = open_database(parse_url("sqlite:/nonexistent/x.db").value(), {});
  ASSERT_FALSE(database);
  EXPECT_THAT(database.error().describe(),
              HasSubstr("cannot open /nonexistent/x.db: unable to open database file"));
  EXPECT_THAT(open_database(parse_url("sqlite:?journal=off").value(), {}).error().describe(),
              HasSubstr("no journal mode off (wal, delete"));
}

}  // namespace
}  // namespace assay::test

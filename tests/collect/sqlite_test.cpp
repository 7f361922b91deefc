#include <gmock/gmock.h>
#include <sqlite3.h>

#include <filesystem>

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

TEST(Sqlite, LeavesAFileOfTheUsersAsItWas) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/mine.db";
  {
    const auto database = opened("sqlite:" + path);
    keeps_registers(*database);
  }
  sqlite3* file = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &file), SQLITE_OK);
  sqlite3_stmt* count = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(file, "SELECT count(*) FROM sqlite_master", -1, &count, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_step(count), SQLITE_ROW);
  EXPECT_EQ(sqlite3_column_int(count, 0), 0);
  sqlite3_finalize(count);
  sqlite3_close(file);
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

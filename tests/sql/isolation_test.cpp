// The level that programs ask for themselves.
#include "sql/isolation.h"

#include "sql/support.h"

namespace assay::sql {
namespace {

std::string isolation_of(const std::string& before, const std::string& text) {
  const Application read = test::application(before + test::kTables + "-- transaction: p\n" + text);
  if (read.programs.empty() || !read.programs[0].isolation) return "none";
  const OwnIsolation own = *read.programs[0].isolation;
  return (own.at_most ? "at most " : "") + std::string(to_text(own.level));
}

const std::string kWork = "UPDATE account SET balance = 0;\n";

TEST(Isolation, IsWhatTheTransactionAsksFor) {
  EXPECT_EQ(isolation_of("", kWork), "none");
  EXPECT_EQ(isolation_of("", "BEGIN;" + kWork), "none");
  EXPECT_EQ(isolation_of("", "BEGIN ISOLATION LEVEL READ COMMITTED;" + kWork), "read committed");
  EXPECT_EQ(isolation_of("", "START TRANSACTION ISOLATION LEVEL SERIALIZABLE, READ WRITE;" + kWork),
            "serializable");
  EXPECT_EQ(isolation_of("", "BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;" + kWork),
            "repeatable read");
  EXPECT_EQ(isolation_of("", "BEGIN; SET transaction_isolation = 'read uncommitted';" + kWork),
            "read committed");
}

TEST(Isolation, OfADefaultIsTheWeakestThatProgramsMayHave) {
  EXPECT_EQ(isolation_of("SET default_transaction_isolation = 'read committed';", kWork),
            "at most read committed");
  EXPECT_EQ(isolation_of("ALTER ROLE app SET default_transaction_isolation TO 'repeatable read';"
                         "ALTER DATABASE d SET default_transaction_isolation TO 'serializable';",
                         kWork),
            "at most repeatable read");
  EXPECT_EQ(isolation_of("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;",
                         "BEGIN ISOLATION LEVEL SERIALIZABLE;" + kWork),
            "serializable");
  EXPECT_EQ(isolation_of("", "-- isolation level repeatable read: 1 of 4\n" + kWork),
            "at most repeatable read");
}

}  // namespace
}  // namespace assay::sql

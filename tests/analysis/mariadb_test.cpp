// What MariaDB's levels allow and exclude: each rule of src/analysis/mariadb.cpp in a small application. What
// the server does was seen on MariaDB 10.11; tests/random_sql/mariadb_test.cpp runs random programs there.
#include <fmt/format.h>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

const char* const kRc = "mariadb:read-committed";
const char* const kRr = "mariadb:repeatable-read";
const char* const kSnapshot = "mariadb:snapshot";

bool is_proved(const std::string& text, const char* level) {
  Options options;
  options.prove = true;
  return look(read(text), level, 2, options).outcome == Outcome::Serializable;
}
std::size_t anomalies(const std::string& text, const char* level) {
  return look(read(text), level, 2).anomalies.size();
}

const std::string kReadThenWrite = kTable + R"(
-- transaction: add(id int, n int)
SELECT a AS old FROM t WHERE k = :id
\gset
UPDATE t SET a = :old + :n WHERE k = :id;
)";

TEST(Mariadb, LosesUpdatesUnlessItLooksAtTheSnapshot) {
  EXPECT_GT(anomalies(kReadThenWrite, kRc), 0u);
  const Analysis found = look(read(kReadThenWrite), kRr, 2);
  ASSERT_FALSE(found.anomalies.empty());
  EXPECT_EQ(found.anomalies[0].name, Anomaly::LostUpdate);
  EXPECT_TRUE(is_proved(kReadThenWrite, kSnapshot));
}

TEST(Mariadb, LockingReadsSeeTheNewestVersion) {
  const std::string transfer = kTable + R"(
-- transaction: transfer(one int, other int, n int)
SELECT a AS x FROM t WHERE k = :one FOR UPDATE
\gset
SELECT a AS y FROM t WHERE k = :other FOR UPDATE
\gset
UPDATE t SET a = :x - :n WHERE k = :one;
UPDATE t SET a = :y + :n WHERE k = :other;
)";
  for (const char* level : {kRc, kRr, kSnapshot}) EXPECT_TRUE(is_proved(transfer, level)) << level;
}

TEST(Mariadb, AtomicUpdatesNeedNoSnapshot) {
  const std::string count = kTable + "-- transaction: count(id int)\nUPDATE t SET a = a + 1 WHERE k = :id;\n";
  for (const char* level : {kRc, kRr, kSnapshot}) EXPECT_TRUE(is_proved(count, level)) << level;
}

TEST(Mariadb, SkewsWritesAtEveryLevelButSerializable) {
  const std::string doctors = kTable + R"(
-- transaction: leave(me int, other int)
SELECT a AS there FROM t WHERE k = :other
\gset
UPDATE t SET a = a - 1 WHERE k = :me AND :there > 0;
)";
  for (const char* level : {kRc, kRr, kSnapshot}) EXPECT_GT(anomalies(doctors, level), 0u) << level;
  EXPECT_TRUE(is_proved(doctors, "mariadb:serializable"));
}

// The two plain queries are of one snapshot; at READ COMMITTED each has its own.
TEST(Mariadb, PlainQueriesOfATransactionAreOfOneSnapshot) {
  const std::string reader = kTables + R"(
-- transaction: sum()
SELECT a AS x FROM t WHERE k = 1
\gset
SELECT a AS y FROM u WHERE k = 1
\gset
-- transaction: raise()
UPDATE t SET a = a + 1 WHERE k = 1;
UPDATE u SET a = a + 1 WHERE k = 1;
)";
  EXPECT_GT(anomalies(reader, kRc), 0u);
  EXPECT_TRUE(is_proved(reader, kRr));
}

// A plain query after an UPDATE goes back to the snapshot, so it may be older than what the UPDATE saw.
TEST(Mariadb, PlainQueriesGoBackToTheSnapshot) {
  const std::string back = kTables + R"(
-- transaction: mixed()
SELECT a AS x FROM u WHERE k = 2
\gset
UPDATE t SET b = a WHERE k = 1;
SELECT a AS y FROM u WHERE k = 1
\gset
-- transaction: raise()
UPDATE t SET a = a + 1 WHERE k = 1;
UPDATE u SET a = a + 1 WHERE k = 1;
)";
  EXPECT_TRUE(has(look(read(back), kRr, 2), read(back), {"mixed", "raise"}));
  // Where the server looks whether the row has changed since, the UPDATE fails.
  EXPECT_FALSE(has(look(read(back), kSnapshot, 2), read(back), {"mixed", "raise"}));
}

// After an UPDATE of the row a plain query shows all of it as it is now, with columns that others changed
// after the snapshot, and the other rows as they were.
TEST(Mariadb, PlainQueriesShowRowsThatTheTransactionChanged) {
  const std::string own = kTables + R"(
-- transaction: mixed()
SELECT a AS x FROM u WHERE k = 1
\gset
UPDATE t SET b = b + 1 WHERE k = 1;
SELECT a AS y FROM t WHERE k = 1
\gset
-- transaction: raise()
UPDATE t SET a = a + 1 WHERE k = 1;
UPDATE u SET a = a + 1 WHERE k = 1;
)";
  EXPECT_TRUE(has(look(read(own), kRr, 2), read(own), {"mixed", "raise"}));
}

// The snapshot is taken at the first plain query, so a lock that was taken before orders the transactions.
TEST(Mariadb, ALockBeforeTheSnapshotProtectsWhatIsRead) {
  const auto quota = [](const std::string& first, const std::string& second) {
    return kTable + "CREATE TABLE c (id serial PRIMARY KEY, p int NOT NULL, v int NOT NULL);\n" +
           "INSERT INTO t VALUES (1, 1, 1);\n-- transaction: add(v int)\n" + first + "\n\\gset\n" + second +
           "\n\\gset\nINSERT INTO c (p, v) SELECT 1, :v WHERE :n < 5 AND :x > 0;\n";
  };
  const std::string lock = "SELECT a AS x FROM t WHERE k = 1 FOR UPDATE",
                    query = "SELECT count(*) AS n FROM c WHERE p = 1";
  EXPECT_TRUE(is_proved(quota(lock, query), kRr));
  EXPECT_TRUE(is_proved(quota(lock, query), kRc));
  EXPECT_GT(anomalies(quota(query, lock), kRr), 0u);
  // There the query that locks may take the snapshot before it waits.
  EXPECT_GT(anomalies(quota(lock, query), kSnapshot), 0u);
  EXPECT_GT(anomalies(quota(query, lock), kSnapshot), 0u);  // nobody changed the row that is locked
}

TEST(Mariadb, LocksOfPostgresqlDoNotCount) {
  const std::string advisory = kTable + R"(
-- transaction: add(id int, n int)
SELECT pg_advisory_xact_lock(1);
SELECT a AS old FROM t WHERE k = :id
\gset
UPDATE t SET a = :old + :n WHERE k = :id;
)";
  EXPECT_TRUE(is_proved(advisory, "rc"));
  EXPECT_GT(anomalies(advisory, kRc), 0u);
  EXPECT_GT(anomalies(advisory, kRr), 0u);
}

// An UPDATE that leaves the row as it is makes no version that the server could refuse.
TEST(Mariadb, AnUpdateWithoutChangeIsNoConflict) {
  // The row that is touched must be there to be a conflict.
  const auto touching = [](const std::string& touch) {
    const auto program = [&](const std::string& name, int reads, int writes) {
      return fmt::format(
          "-- transaction: {}()\nSELECT k AS there FROM t WHERE k = 1\n\\gset\n"
          "SELECT a AS x FROM u WHERE k = {}\n\\gset\n{}"
          "UPDATE u SET a = a - 1 WHERE k = {} AND :x > 0 AND :there IS NOT NULL;\n",
          name, reads, touch, writes);
    };
    return kTables + program("one", 1, 2) + program("two", 2, 1);
  };
  const auto skews = [&](const std::string& touch) {
    const sql::Application application = read(touching(touch));
    return has(look(application, kSnapshot, 2), application, {"one", "two"});
  };
  EXPECT_TRUE(skews(""));
  EXPECT_TRUE(skews("UPDATE t SET a = a WHERE k = 1;\n"));
  EXPECT_TRUE(skews("UPDATE t SET a = 1 WHERE k = 1;\n"));
  EXPECT_FALSE(skews("UPDATE t SET a = a + 1 WHERE k = 1;\n"));
}

// INSERT ... SELECT and queries inside of an UPDATE lock what they read at REPEATABLE READ.
TEST(Mariadb, QueriesInsideOfChangesLock) {
  const std::string copies = kTables + R"(
-- transaction: one()
UPDATE t SET a = (SELECT a FROM u WHERE k = 1) WHERE k = 1;
-- transaction: two()
UPDATE u SET a = (SELECT a FROM t WHERE k = 1) WHERE k = 1;
)";
  EXPECT_TRUE(is_proved(copies, kRr));
  EXPECT_GT(anomalies(copies, kRc), 0u);
  const std::string inserts = kTables + R"(
CREATE TABLE l (id serial PRIMARY KEY, v int NOT NULL);
-- transaction: one()
INSERT INTO l (v) SELECT a FROM u WHERE k = 1;
UPDATE t SET a = a + 1 WHERE k = 1;
-- transaction: two()
INSERT INTO l (v) SELECT a FROM t WHERE k = 1;
UPDATE u SET a = a + 1 WHERE k = 1;
)";
  EXPECT_TRUE(is_proved(inserts, kRr));
  EXPECT_GT(anomalies(inserts, kRc), 0u);
}

// At READ COMMITTED an UPDATE lets rows go that do not match, and meets the others at moments of their own.
TEST(Mariadb, AnUpdateAtReadCommittedMixesMoments) {
  const std::string scan = kTable + R"(
-- transaction: clear()
UPDATE t SET b = 0 WHERE a = 1;
-- transaction: swap()
UPDATE t SET a = 1 WHERE k = 1;
UPDATE t SET a = 2 WHERE k = 2;
)";
  const sql::Application application = read(scan);
  EXPECT_TRUE(has(look(application, kRc, 2), application, {"clear", "swap"}));
  EXPECT_FALSE(has(look(application, kRr, 2), application, {"clear", "swap"}));
}

TEST(Mariadb, WhatATriggerReadsMayBeOfEitherState) {
  const std::string trigger = kTables + R"(
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n int; BEGIN SELECT a INTO n FROM u WHERE k = 1; NEW.b := n; RETURN NEW; END $$;
CREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
-- transaction: one()
UPDATE t SET a = 1 WHERE k = 1;
-- transaction: two()
SELECT b AS x FROM t WHERE k = 1
\gset
UPDATE u SET a = :x WHERE k = 1;
)";
  const sql::Application application = read(trigger);
  EXPECT_TRUE(has(look(application, kRr, 2), application, {"one", "two"}));
}

TEST(Mariadb, KeysAreCheckedAgainstWhatIsCommitted) {
  const std::string once = kTable + R"(
-- transaction: create(id int)
SELECT count(*) AS n FROM t WHERE k = :id
\gset
INSERT INTO t SELECT :id, 1, 1 WHERE :n = 0;
)";
  for (const char* level : {kRc, kRr, kSnapshot}) EXPECT_TRUE(is_proved(once, level)) << level;
}

}  // namespace
}  // namespace assay::analysis

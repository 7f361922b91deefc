#include "analysis/store_level.h"

#include <gtest/gtest.h>

#include "analysis/rules.h"
#include "analysis/subjects.h"

namespace assay::analysis {
namespace {

TEST(StoreLevels, ImplyEachOtherAsTheirAxiomsDo) {
  EXPECT_TRUE(implies(StoreLevel::Ser, StoreLevel::Si));
  EXPECT_TRUE(implies(StoreLevel::Si, StoreLevel::Rc));
  EXPECT_TRUE(implies(StoreLevel::Si, StoreLevel::Psi));
  EXPECT_TRUE(implies(StoreLevel::Rc, StoreLevel::Rc));
  EXPECT_FALSE(implies(StoreLevel::Psi, StoreLevel::Pc));
  EXPECT_FALSE(implies(StoreLevel::Psi, StoreLevel::Rc));
  EXPECT_FALSE(implies(StoreLevel::Rc, StoreLevel::Ec));
}

TEST(StoreLevels, AreReadWithProgramsAndPairsOfTheirOwn) {
  sql::Application application = bank();
  application.programs.push_back(application.programs[0]);
  application.programs[1].name = "deposit";
  const auto levels = parse_levels("SI,deposit=ser,withdraw+deposit=ser", application);
  ASSERT_TRUE(levels);
  EXPECT_EQ(levels->of(0), StoreLevel::Si);
  EXPECT_EQ(levels->of(1), StoreLevel::Ser);
  EXPECT_TRUE(levels->serialized(1, 0));
  EXPECT_FALSE(levels->serialized(0, 0));
  EXPECT_EQ(to_text(*levels, application), "si,deposit=ser,withdraw+deposit=ser");
}

TEST(StoreLevels, RefuseWhatTheyDoNotKnow) {
  for (const char* text :
       {"", "strong", "si,nobody=ser", "deposit=ser", "si,withdraw", "si,withdraw+withdraw=psi"})
    EXPECT_FALSE(parse_levels(text, bank())) << text;
}

TEST(StoreLevels, HaveTheNamesOfServers) {
  EXPECT_EQ(parse_levels("pg:read-committed", bank())->common, StoreLevel::Rc);
  EXPECT_EQ(parse_levels("PG:Repeatable-Read,withdraw=pg:serializable", bank())->of(0),
            StoreLevel::PgSerializable);
  EXPECT_FALSE(parse_levels("pg:snapshot", bank()));
}

TEST(StoreLevels, ThoseOfMariaDbStandBesideEachOther) {
  EXPECT_EQ(parse_levels("mariadb:serializable", bank())->common, StoreLevel::Ser);
  EXPECT_EQ(parse_levels("MariaDB:Read-Committed", bank())->common, StoreLevel::MariadbRc);
  EXPECT_EQ(parse_levels("mariadb:snapshot", bank())->common, StoreLevel::MariadbSnapshot);
  EXPECT_EQ(parse_levels("mariadb:serializable,withdraw=mariadb:repeatable-read", bank())->of(0),
            StoreLevel::MariadbRr);
  EXPECT_TRUE(parse_levels("mariadb:repeatable-read,withdraw=ser", bank()));
  sql::Application two = bank();
  two.programs.push_back(two.programs[0]);
  two.programs[1].name = "deposit";
  for (const char* text :
       {"mariadb:other", "si,deposit=mariadb:snapshot", "mariadb:read-committed,deposit=rc"})
    EXPECT_FALSE(parse_levels(text, two)) << text;
  EXPECT_FALSE(parse_levels(
      "mariadb:repeatable-read",
      read(kTable + "-- transaction: take()\nSELECT k FROM t LIMIT 1 FOR UPDATE SKIP LOCKED;\n")));
  // What it asks for itself would be MariaDB's, not PostgreSQL's.
  sql::Application asks = bank();
  asks.programs[0].isolation = sql::OwnIsolation{.level = sql::Isolation::RepeatableRead};
  EXPECT_FALSE(parse_levels("mariadb:serializable", asks));
  EXPECT_TRUE(parse_levels("ser", asks));
}

TEST(StoreLevels, ImplyOnlyWhatHoldsBesideAnyOther) {
  EXPECT_TRUE(implies(StoreLevel::PgSerializable, StoreLevel::Si));
  EXPECT_TRUE(implies(StoreLevel::Ser, StoreLevel::PgSerializable));
  EXPECT_FALSE(implies(StoreLevel::PgSerializable, StoreLevel::Ser));
  EXPECT_FALSE(implies(StoreLevel::Si, StoreLevel::PgSerializable));
  EXPECT_TRUE(implies(StoreLevel::Ser, StoreLevel::MariadbRr));
  EXPECT_FALSE(implies(StoreLevel::MariadbSnapshot, StoreLevel::Rc));
  EXPECT_FALSE(implies(StoreLevel::Si, StoreLevel::MariadbRc));
  EXPECT_FALSE(implies(StoreLevel::MariadbRr, StoreLevel::Ec));
}

// Two doctors: each reads both and writes one. PostgreSQL aborts one where both are SERIALIZABLE.
const char* const kDoctors = R"(
CREATE TABLE doctor (id int PRIMARY KEY, on_call int NOT NULL);
CREATE FUNCTION leave(me int, other int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN IF (SELECT on_call FROM doctor WHERE id = other) > 0 THEN UPDATE doctor SET on_call = 0 WHERE id = me; END IF; END $$;
CREATE FUNCTION swap(me int, other int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN IF (SELECT on_call FROM doctor WHERE id = other) > 0 THEN UPDATE doctor SET on_call = 2 WHERE id = me; END IF; END $$;
)";

TEST(PgSerializable, ProtectsOnlyAmongItself) {
  const sql::Application application = read(kDoctors);
  Options options;
  options.prove = true;
  const Analysis all = look(application, "pg:serializable", 3, options);
  EXPECT_EQ(all.outcome, Outcome::Serializable);
  ASSERT_TRUE(all.proof);
  EXPECT_EQ(all.proof->excluded.size(), 2u);
  for (const ProofScheme scheme : {ProofScheme::Inductive, ProofScheme::Window, ProofScheme::ShortestPath}) {
    options.scheme = scheme;
    const Analysis mixed = look(application, "si,leave=pg:serializable", 2, options);
    EXPECT_EQ(mixed.outcome, Outcome::AnomalyFound);
    EXPECT_TRUE(has(mixed, application, {"leave", "swap"}));
    EXPECT_TRUE(has(mixed, application, {"swap", "swap"}));
    EXPECT_FALSE(has(mixed, application, {"leave", "leave"}));
  }
}

}  // namespace
}  // namespace assay::analysis

#include "analysis/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/known_answers.h"
#include "analysis/rules.h"
#include "analysis/subjects.h"
#include "sql/print.h"

namespace assay::analysis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::vector<std::string>> names(const Advice& advice, const sql::Application& application) {
  std::vector<std::vector<std::string>> all;
  for (const Advice::Raise& raise : advice.raise) {
    all.emplace_back();
    for (const std::size_t program : raise.programs) all.back().push_back(application.programs[program].name);
  }
  return all;
}

Options proving(unsigned cycle) {
  Options options;
  options.cycle = cycle;
  options.prove = true;
  return options;
}

TEST(Advice, NamesTheSmallestChangesThatMakeSmallBankSerializable) {
  const sql::Application application =
      example({"smallbank.sql"}, {"balance", "write_check", "transact_savings"});
  const Levels levels{.common = StoreLevel::Si};
  const Options options = proving(3);
  const Advice advice = advise(application, levels, options, analyze(application, levels, options));
  // PostgreSQL's SERIALIZABLE protects none of them from one that is not.
  EXPECT_THAT(names(advice, application),
              ElementsAre(UnorderedElementsAre("balance", "write_check", "transact_savings")));
  EXPECT_EQ(advice.raise[0].level, StoreLevel::PgSerializable);
  ASSERT_FALSE(advice.hold.empty());
  for (const Advice::Hold& hold : advice.hold) {
    EXPECT_EQ(hold.promotions.size(), 1u);
    EXPECT_EQ(analyze(promoted(application, hold.promotions), levels, options).outcome, hold.verified);
  }
}

TEST(Advice, IsSilentAboutChangesThatDoNotHelp) {
  const sql::Application application = bank();
  const Levels levels{.common = StoreLevel::Ec};
  const Options options = proving(2);
  const Advice advice = advise(application, levels, options, analyze(application, levels, options));
  EXPECT_THAT(names(advice, application), ElementsAre(ElementsAre("withdraw")));
  EXPECT_TRUE(advice.hold.empty());  // at ec nobody holds anything
}

TEST(Advice, LocksTheReadOfTheBankAtReadCommitted) {
  const sql::Application application = bank();
  const Levels levels{.common = StoreLevel::Rc};
  const Options options = proving(2);
  const Advice advice = advise(application, levels, options, analyze(application, levels, options));
  ASSERT_EQ(advice.hold.size(), 1u);
  ASSERT_EQ(advice.hold[0].promotions.size(), 1u);
  EXPECT_EQ(advice.hold[0].promotions[0].kind, Promotion::Kind::Lock);
}

TEST(Advice, FindsTheWeakestSafeLevel) {
  const std::vector<LevelAnswer> answers = analyze_all_levels(bank(), proving(2));
  ASSERT_EQ(answers.size(), store_levels().size());
  EXPECT_EQ(weakest_levels(answers).proved, StoreLevel::Psi);
  for (const LevelAnswer& answer : answers)
    EXPECT_EQ(answer.analysis.outcome,
              answer.level < StoreLevel::Psi ? Outcome::AnomalyFound : Outcome::Serializable);
}

const char* const kBookings = R"(
CREATE TABLE booking (id serial PRIMARY KEY, room int NOT NULL, day int NOT NULL);
-- transaction: book(r int, d int)
INSERT INTO booking (room, day) SELECT :r, :d WHERE NOT EXISTS (SELECT FROM booking WHERE room = :r AND day = :d);
)";

TEST(Advice, OffersAConstraintForRowsThatMustNotComeTwice) {
  const sql::Application application = read(kBookings);
  const Options options = proving(2);
  for (const StoreLevel level : {StoreLevel::Rc, StoreLevel::Si}) {
    const Levels levels{.common = level};
    const Advice advice = advise(application, levels, options, analyze(application, levels, options));
    ASSERT_EQ(advice.unique.size(), 1u);
    EXPECT_THAT(advice.unique[0].columns, ElementsAre(sql::ColumnId(1), sql::ColumnId(2)));
    EXPECT_EQ(advice.unique[0].verified, Outcome::Serializable);
    // A snapshot is older than the wait for a lock.
    EXPECT_EQ(advice.exclusion.has_value(), level == StoreLevel::Rc);
  }
}

TEST(Advice, OffersNoConstraintThatChangesNothing) {
  const sql::Application application = bank();
  const Levels levels{.common = StoreLevel::Rc};
  const Options options = proving(2);
  const Advice advice = advise(application, levels, options, analyze(application, levels, options));
  EXPECT_TRUE(advice.unique.empty());
  ASSERT_TRUE(advice.exclusion);
  EXPECT_EQ(analyze(excluding_each_other(application, advice.exclusion->programs), levels, options).outcome,
            advice.exclusion->verified);
}

TEST(Advice, OffersOneAtomicUpdate) {
  const sql::Application application = bank();
  const Options options = proving(2);
  for (const StoreLevel level : {StoreLevel::Rc, StoreLevel::Ec}) {
    const Levels levels{.common = level};
    const Advice advice = advise(application, levels, options, analyze(application, levels, options));
    // Where nobody waits for anybody, an atomic UPDATE loses changes as well.
    ASSERT_EQ(advice.atomic.size(), level == StoreLevel::Rc ? 1u : 0u);
    if (advice.atomic.empty()) continue;
    EXPECT_EQ(analyze(advice.atomic[0].changed, levels, options).outcome, advice.atomic[0].verified);
    EXPECT_THAT(sql::to_text(advice.atomic[0].changed.programs[0], application.schema),
                AllOf(HasSubstr("SET balance = balance - :amount WHERE (id = :id) AND (:amount < balance)"),
                      Not(HasSubstr("SELECT"))));
  }
}

std::size_t atomic_updates_of(const std::string& body) {
  const sql::Application application = read(
      "CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, b int NOT NULL);\n"
      "CREATE FUNCTION f(x int, y int) RETURNS int LANGUAGE plpgsql AS $$\nDECLARE v int;\nBEGIN\n" +
      body + "\nRETURN 0; END $$;\n");
  return atomic_updates(application, 0).size();
}

TEST(Advice, MakesOnlyAtomicWhatMeansTheSame) {
  const std::string query = "SELECT a INTO v FROM t WHERE k = x; ";
  EXPECT_EQ(atomic_updates_of(query + "UPDATE t SET a = v + 1 WHERE k = x;"), 1u);
  EXPECT_EQ(atomic_updates_of(query + "IF v > y THEN UPDATE t SET b = v WHERE k = x; END IF;"), 1u);
  for (const std::string rest :
       {"UPDATE t SET a = v + 1 WHERE k = y;",                                   // another row
        "UPDATE t SET a = 7 WHERE k = x;",                                       // not of what was read
        "UPDATE t SET a = v + 1 WHERE k = x; RETURN v;",                         // read for its own sake
        "UPDATE t SET a = 0 WHERE k = x; UPDATE t SET a = v + 1 WHERE k = x;",   // written in between
        "IF v > y THEN UPDATE t SET a = v WHERE k = x; ELSE RETURN 1; END IF;",  // more depends on it
        "TRUNCATE t; UPDATE t SET a = v + 1 WHERE k = x;"})                      // not understood
    EXPECT_EQ(atomic_updates_of(query + rest), 0u) << rest;
  EXPECT_EQ(atomic_updates_of("SELECT sum(a) INTO v FROM t WHERE k = x; UPDATE t SET a = v WHERE k = x;"),
            0u);
  EXPECT_EQ(
      atomic_updates_of("SELECT a INTO v FROM t WHERE k = x AND b > 0; UPDATE t SET a = v WHERE k = x;"), 0u);
}

}  // namespace
}  // namespace assay::analysis

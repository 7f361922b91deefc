#include "analysis/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/known_answers.h"
#include "analysis/rules.h"
#include "analysis/subjects.h"

namespace assay::analysis {
namespace {

using testing::ElementsAre;
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

}  // namespace
}  // namespace assay::analysis

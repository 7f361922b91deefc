#include "hunt/until_violation.h"

#include "history/builder.h"
#include "hunt/hunt_fixture.h"

namespace assay {
namespace {

using Hunt = HuntFixture;

// Judges the history of the plan at one level.
JudgeRun judge_at(Level level, const RunPlan& plan) {
  return [level, file = plan.history](const RecordedRun&, double) {
    return Result<Findings>(test::judged(read_history(file).value(), {level}));
  };
}

Findings undecided() {
  Findings findings;
  findings.judged = std::make_shared<const History>(HistoryBuilder().build().value());
  findings.levels.push_back({Level::Ser, Undecided{"no time"}, 0});
  return findings;
}

TEST_F(Hunt, EndsAtTheFirstViolation) {
  open("simulated:rc");
  plan("h.jsonl");
  const auto hunted = hunt_violation(*database_, plan_, {.seconds = 60}, judge_at(Level::Si, plan_), go_on);
  ASSERT_TRUE(hunted) << hunted.error().describe();
  EXPECT_TRUE(std::holds_alternative<Violated>(hunted->findings.levels[0].verdict));
  EXPECT_EQ(hunted->tally.all(), hunted->runs * 200);
  EXPECT_EQ(hunted->undecided, 0u);
}

TEST_F(Hunt, RunsUntilTheTimeIsUpWhereNothingBreaks) {
  open("simulated:ser");
  plan("h.jsonl");
  const auto hunted = hunt_violation(*database_, plan_, {.seconds = 0.5}, judge_at(Level::Ser, plan_), go_on);
  ASSERT_TRUE(hunted) << hunted.error().describe();
  EXPECT_TRUE(std::holds_alternative<Holds>(hunted->findings.levels[0].verdict));
  EXPECT_GE(hunted->runs, 2u);
}

TEST_F(Hunt, EveryRunHasASeedOfItsOwn) {
  open("simulated:ser");
  plan("h.jsonl");
  std::vector<std::string> notes;
  const auto judge = [&](const RecordedRun&, double) -> Result<Findings> {
    notes.emplace_back(read_history(plan_.history)->note());
    return undecided();
  };
  const HuntOptions options{.seconds = 60, .stop = [&] { return notes.size() == 3; }};
  const auto hunted = hunt_violation(*database_, plan_, options, judge, go_on);
  ASSERT_TRUE(hunted) << hunted.error().describe();
  EXPECT_EQ(hunted->runs, 3u);
  EXPECT_EQ(hunted->undecided, 3u);
  EXPECT_THAT(notes[0], testing::EndsWith("seed 7"));
  EXPECT_NE(notes[0], notes[1]);
  EXPECT_NE(notes[1], notes[2]);
  EXPECT_THAT(notes[2], testing::EndsWith("seed " + std::to_string(hunted->seed)));
}

TEST_F(Hunt, UsesFewerKeysAfterEveryThirdRun) {
  open("simulated:ser");
  plan("h.jsonl");
  plan_.collect.workload.keys = 64;
  std::vector<std::size_t> keys;
  const auto judge = [&](const RecordedRun&, double) -> Result<Findings> {
    keys.push_back(read_history(plan_.history)->key_count());
    return undecided();
  };
  const HuntOptions options{.seconds = 60, .stop = [&] { return keys.size() == 7; }};
  ASSERT_TRUE(hunt_violation(*database_, plan_, options, judge, go_on));
  for (std::size_t run = 0; run < 3; ++run) EXPECT_GT(keys[run], 32u);
  for (std::size_t run = 3; run < 6; ++run) EXPECT_LE(keys[run], 32u);
  EXPECT_LE(keys[6], 16u);
}

TEST(FewerKeys, AreHalfAsManyButEnoughForATransaction) {
  EXPECT_EQ(fewer_keys({.operations = 8, .keys = 100}), 50u);
  EXPECT_EQ(fewer_keys({.operations = 8, .keys = 3}), 2u);
  EXPECT_EQ(fewer_keys({.operations = 8, .keys = 1}), 1u);
  EXPECT_EQ(fewer_keys({.operations = 8, .keys = 10, .distinct_keys = true}), 8u);
}

TEST_F(Hunt, GivesEachJudgementATenthOfTheTimeAtMost) {
  open("simulated:ser");
  plan("h.jsonl");
  const auto seconds_of = [&](double seconds, std::optional<double> most) {
    double given = 0;
    const auto judge = [&](const RecordedRun&, double share) -> Result<Findings> {
      given = share;
      return undecided();
    };
    const HuntOptions options{.seconds = seconds, .judging_seconds = most, .stop = [] { return true; }};
    EXPECT_EQ(hunt_violation(*database_, plan_, options, judge, go_on)->judging_seconds, given);
    return given;
  };
  EXPECT_EQ(seconds_of(60, {}), 6);
  EXPECT_EQ(seconds_of(5, {}), 2);
  EXPECT_EQ(seconds_of(60, 1), 1);
  EXPECT_EQ(seconds_of(60, 30), 6);
}

TEST_F(Hunt, EndsWithTheErrorOfTheJudge) {
  open("simulated:ser");
  plan("h.jsonl");
  const auto hunted = hunt_violation(
      *database_, plan_, {}, [](const RecordedRun&, double) -> Result<Findings> { return error("no"); },
      go_on);
  ASSERT_FALSE(hunted);
  EXPECT_EQ(hunted.error().describe(), "no");
}

}  // namespace
}  // namespace assay

#include "collect/schedule.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "check/check.h"
#include "collect/adapter_contract.h"
#include "collect/schedule_run.h"
#include "collect/temporary_directory.h"
#include "history/describe.h"
#include "history_io/format.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Schedule, IsReadInThePublishedNotation) {
  const auto schedule = parse_schedule("name | init x,y | R1[x0] W2[y1] C2 A1");
  ASSERT_TRUE(schedule) << schedule.error().describe();
  EXPECT_EQ(schedule->name, "name");
  EXPECT_EQ(schedule->clients, 2u);
  EXPECT_THAT(schedule->keys, ElementsAre("x", "y"));
  ASSERT_EQ(schedule->steps.size(), 4u);
  EXPECT_EQ(schedule->steps[1].kind, ScheduleStep::Kind::Write);
  EXPECT_EQ(schedule->steps[1].client, 1u);
  EXPECT_EQ(schedule->steps[1].key, 1u);
  EXPECT_EQ(schedule->steps[3].kind, ScheduleStep::Kind::Abort);
}

TEST(Schedule, IsRefusedWithTheWordThatIsWrong) {
  for (const char* line :
       {"n | R1", "n | X1[x]", "n | R[x]", "n | C1[x]", "n | R0[x]", "n | R1[]", "n | R1[7]", "n | R99[x]"})
    EXPECT_FALSE(parse_schedule(line)) << line;
  EXPECT_THAT(parse_schedule("n | W1[x] Z2").error().describe(), HasSubstr("n: Z2 is no step (R1[x]"));
  EXPECT_FALSE(parse_schedule("W1[x]"));
  EXPECT_FALSE(parse_schedule("n | "));
}

TEST(Schedule, FilesMayHaveOnesThatCannotBeRun) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/s.txt";
  std::ofstream(path)
      << "# comment\na | init x | W1[x1] C1\n\nb | PR1{k>0} C1\nc | I1[x1] C1\nd | R1[x0] C1\n";
  const auto file = read_schedules(path);
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->schedules.size(), 2u);
  EXPECT_THAT(file->skipped, ElementsAre("b", "c"));
  std::ofstream(path) << "a | W1[x1] C1\nb | W1 C1\n";
  EXPECT_THAT(read_schedules(path).error().describe(), HasSubstr("s.txt:2: b: W1 is no step"));
}

class ScheduleRun : public testing::Test {
 protected:
  History run(Database& database, const Schedule& schedule) {
    const auto directory = TemporaryDirectory::create().value();
    const DatabaseLevel* level = &database.levels().front();
    const auto done = run_schedule(database, schedule, {&level, 1}, directory.path() + "/j", "");
    if (!done) throw std::runtime_error(done.error().describe());
    return read_history(directory.path() + "/j").value();
  }
};

TEST_F(ScheduleRun, RecordsWhatTheDatabaseMadeOfIt) {
  const auto database = opened("sqlite:");
  const History history = run(*database, parse_schedule("n | W1[x] C1 R2[x] R2[y] C2 W3[y] A3").value());
  ASSERT_EQ(history.transaction_count(), 3u);
  EXPECT_EQ(history.outcome(TxnId(2)), Outcome::Aborted);
  EXPECT_EQ(history.display(history.key(history.operations(TxnId(1))[0])), "x");
  EXPECT_EQ(history.value(history.value(history.operations(TxnId(1))[0])), Scalar::integer(1));
  EXPECT_EQ(history.value(history.value(history.operations(TxnId(1))[1])), Scalar::integer(0));
}

TEST_F(ScheduleRun, GoesOnWhenAStepIsBlocked) {
  const auto database = opened("sqlite:");
  // The second writer waits for the first.
  const History history =
      run(*database, parse_schedule("n | W1[x] W2[x] W1[y] C1 W2[y] C2 R3[x] R3[y] C3").value());
  ASSERT_EQ(history.transaction_count(), 3u);
  for (const TxnId t : history.transactions()) EXPECT_EQ(history.outcome(t), Outcome::Committed);
  EXPECT_EQ(history.value(history.value(history.operations(TxnId(2))[0])), Scalar::integer(2));
}

TEST_F(ScheduleRun, OfHermitageHoldsOnSqlite) {
  const auto database = opened("sqlite:");
  for (const Schedule& schedule : hermitage()) {
    const History history = run(*database, schedule);
    Checker checker(history);
    EXPECT_TRUE(std::holds_alternative<Holds>(checker.judge(Level::Ser).value())) << schedule.name;
  }
}

}  // namespace
}  // namespace assay::test

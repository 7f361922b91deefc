#include "hunt/record.h"

#include "hunt/hunt_fixture.h"

namespace assay {
namespace {

using Record = HuntFixture;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(Record, LeavesOneFileThatSaysWhatRan) {
  open("simulated:si");
  plan("h.jsonl");
  plan_.workload = "mine";
  plan_.faults = "pause-client";
  const auto run = record(*database_, plan_, go_on);
  ASSERT_TRUE(run) << run.error().describe();
  EXPECT_EQ(run->tally.all(), 200u);
  EXPECT_TRUE(run->left_out.empty());
  EXPECT_FALSE(std::filesystem::exists(plan_.collect.directory));
  const auto history = read_history(plan_.history);
  ASSERT_TRUE(history) << history.error().describe();
  EXPECT_EQ(history->transaction_count(), 200u);
  EXPECT_EQ(history->note(),
            describe(*database_, plan_.collect.levels) + ", mine, seed 7, faults pause-client");
}

TEST_F(Record, ConvertsToTheFormatOfTheNameAndSaysWhatIsLost) {
  open("simulated:si");
  plan("h.txt");
  const auto run = record(*database_, plan_, go_on);
  ASSERT_TRUE(run) << run.error().describe();
  EXPECT_THAT(run->left_out, testing::Contains(HasSubstr("instants")));
  EXPECT_TRUE(read_history(plan_.history));
}

TEST_F(Record, EndsEarlyWhenItIsToldTo) {
  open("simulated:si");
  plan("h.jsonl");
  plan_.collect.count_transactions = false;
  plan_.collect.seconds = 60;
  const auto run = record(*database_, plan_, [](const Tally&) { return false; });
  ASSERT_TRUE(run) << run.error().describe();
  EXPECT_LT(run->tally.seconds, 30);
}

TEST_F(Record, RefusesAFileWithoutAFormat) {
  open("simulated:si");
  plan("h.unknown");
  EXPECT_FALSE(record(*database_, plan_, go_on));
}

}  // namespace
}  // namespace assay

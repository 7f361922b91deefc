#include "hunt/schedules.h"

#include "hunt/hunt_fixture.h"

namespace assay {
namespace {

using Schedules = HuntFixture;

std::vector<Schedule> two_schedules() {
  return {parse_schedule("lost | R1[x] R2[x] W1[x] W2[x] C1 C2").value(),
          parse_schedule("fine | W1[x] C1 R2[x] C2").value()};
}

TEST_F(Schedules, LeaveAHistoryEachInTheDirectory) {
  open("simulated:rc");
  const std::string out = place_.path() + "/made/here";
  std::vector<std::string> seen;
  const auto after = [&](const Schedule& schedule, const std::string& file) -> Result<bool> {
    seen.push_back(schedule.name);
    EXPECT_EQ(file, out + "/" + schedule.name + ".jsonl");
    return true;
  };
  ASSERT_TRUE(run_schedules(*database_, two_schedules(), plan_.collect.levels, out, after));
  EXPECT_THAT(seen, testing::ElementsAre("lost", "fine"));
  const auto verdict = [&](const std::string& name) {
    return test::judged(read_history(out + "/" + name).value(), {Level::Si}).levels[0].verdict;
  };
  EXPECT_TRUE(std::holds_alternative<Violated>(verdict("lost.jsonl")));
  EXPECT_TRUE(std::holds_alternative<Holds>(verdict("fine.jsonl")));
}

TEST_F(Schedules, LeaveNothingWithoutADirectoryAndEndWhenToldTo) {
  open("simulated:rc");
  std::string kept;
  const auto after = [&](const Schedule&, const std::string& file) -> Result<bool> {
    EXPECT_EQ(kept, "") << "a second schedule ran";
    kept = file;
    EXPECT_TRUE(read_history(file));
    return false;
  };
  ASSERT_TRUE(run_schedules(*database_, two_schedules(), plan_.collect.levels, "", after));
  EXPECT_NE(kept, "");
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_F(Schedules, EndWithTheErrorOfWhoLooksAtThem) {
  open("simulated:rc");
  const auto after = [](const Schedule&, const std::string&) -> Result<bool> { return error("no"); };
  const auto done = run_schedules(*database_, two_schedules(), plan_.collect.levels, "", after);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().describe(), "no");
}

}  // namespace
}  // namespace assay

#include "collect/schedule.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "check/check.h"
#include "check/predicates.h"
#include "collect/adapter_contract.h"
#include "collect/schedule_run.h"
#include "collect/temporary_directory.h"
#include "history/describe.h"
#include "history_io/format.h"
#include "support/paths.h"

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
       {"n | R1", "n | X1[x]", "n | R[x]", "n | C1[x]", "n | R0[x]", "n | R1[]", "n | R1[7]", "n | R99[x]",
        "n | PR1[x]", "n | PR1{x}", "n | PR1{}", "n | PR1{q=1}", "n | PR1{v=1 and k=1}", "n | PR1{v!1}",
        "n | PW1{k=1}", "n | I1[account]", "n | PR1{v=0"})
    EXPECT_FALSE(parse_schedule(line)) << line;
  EXPECT_THAT(parse_schedule("n | W1[x] Z2").error().describe(), HasSubstr("n: Z2 is no step (R1[x]"));
  EXPECT_FALSE(parse_schedule("W1[x]"));
  EXPECT_FALSE(parse_schedule("n | "));
}

TEST(Schedule, MayBeAboutRowsAndPredicates) {
  using enum ScheduleStep::Kind;
  const auto schedule =
      parse_schedule("n | init x,k3 | PR1{k>0 and k<=2} I2[y1] D2[k31] PW1{v=0} PR1{w >= 7} C1");
  ASSERT_TRUE(schedule) << schedule.error().describe();
  EXPECT_TRUE(schedule->rows);
  EXPECT_THAT(schedule->keys, ElementsAre("y", "k3", "x"));
  EXPECT_THAT(schedule->initial, ElementsAre("x", "k3"));
  EXPECT_EQ(schedule->number(1), 3);
  ASSERT_EQ(schedule->steps.size(), 6u);
  EXPECT_EQ(schedule->steps[0].kind, Select);
  EXPECT_EQ(schedule->steps[0].range.low, 1);
  EXPECT_EQ(schedule->steps[0].range.high, 2);
  EXPECT_EQ(schedule->steps[2].kind, Delete);
  EXPECT_EQ(schedule->steps[3].kind, Update);
  EXPECT_EQ(schedule->steps[4].range.column, ScheduleRange::Column::W);
  EXPECT_EQ(schedule->steps[4].range.low, 7);
  EXPECT_THAT(parse_schedule("n | I1[x] W2[y] C1 C2")->initial, ElementsAre("y"));
}

TEST(Schedule, PublishedOnesCanBeRunButForThoseInSql) {
  const auto file = read_schedules(source_dir() + "/tests/sequences/published.txt");
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->schedules.size(), 101u);
  EXPECT_EQ(file->skipped.size(), 2u);
}

TEST(Schedule, FilesMayHaveOnesThatCannotBeRun) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/s.txt";
  std::ofstream(path) << "# comment\na | init x | W1[x1] C1\n\nb | ?1<DROP TABLE t> C1\nd | R1[x0] C1\n";
  const auto file = read_schedules(path);
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_EQ(file->schedules.size(), 2u);
  EXPECT_THAT(file->skipped, ElementsAre("b"));
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
  static bool holds(const History& history, Level level) {
    if (!has_rows_or_predicates(history))
      return std::holds_alternative<Holds>(Checker(history).judge(level).value());
    return std::holds_alternative<Holds>(PredicateChecker(history).judge(level).value());
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
  for (const Schedule& schedule : hermitage())
    EXPECT_TRUE(holds(run(*database, schedule), Level::Ser)) << schedule.name;
}

// What an update by w makes of v, and the other way round, is recorded as the database did it.
TEST_F(ScheduleRun, RecordsRowsAndPredicates) {
  const auto database = opened("sqlite:");
  const History history = run(
      *database,
      parse_schedule("n | init x,z | I1[y1] D1[z1] W1[x1] PR1{v=0} PR1{k>0 and k<9} PW1{v=0} C1").value());
  std::vector<std::string> operations;
  for (const OpId op : history.operations()) operations.push_back(describe(history, op));
  ASSERT_EQ(operations.size(), 6u);
  EXPECT_THAT(operations[0], HasSubstr("insert(1,{v1:0"));
  EXPECT_THAT(operations[1], HasSubstr("delete(2,true)"));
  EXPECT_THAT(operations[3], HasSubstr("[1={v1:0"));
  EXPECT_THAT(operations[4], HasSubstr("scan(1,8"));
  EXPECT_THAT(operations[5], HasSubstr("update("));
  EXPECT_TRUE(holds(history, Level::Ser));
}

// Snapshot isolation lets write skew happen, with predicates and without. tests/e2e_db has the others, on
// servers.
TEST_F(ScheduleRun, OfHermitageShowsWriteSkew) {
  for (const Schedule& schedule : hermitage()) {
    if (schedule.name != "G2" && schedule.name != "G2-item") continue;
    EXPECT_FALSE(holds(run(*opened("simulated:si"), schedule), Level::Ser)) << schedule.name;
    EXPECT_TRUE(holds(run(*opened("simulated:ser"), schedule), Level::Ser)) << schedule.name;
  }
}

// Both writers of the second key wait for the first transaction: the third must read when the second has
// written x and not yet y.
TEST_F(ScheduleRun, SendsTheNextStepWhenTheUnblockedOneHasReturned) {
  class Slow final : public Database {
   public:
    std::string version() const override { return "slow"; }
    std::span<const DatabaseLevel> levels() const override {
      static constexpr DatabaseLevel kLevel{"none", "", std::nullopt};
      return {&kLevel, 1};
    }
    Result<void> prepare(DataKind, std::shared_ptr<const TableLayout>) override { return {}; }
    Result<std::unique_ptr<Connection>> connect(const DatabaseLevel&) override {
      return std::unique_ptr<Connection>(std::make_unique<Line>(*this));
    }
    std::atomic<bool> committed = false, unblocked = false, early = false;

   private:
    class Line final : public Connection {
     public:
      explicit Line(Slow& slow) : slow_(slow) {}
      Reply begin() override { return Reply::Done; }
      Reply read(StoreKey, std::int64_t& value) override {
        if (!slow_.unblocked) slow_.early = true;
        return value = 0, Reply::Done;
      }
      // The second one waits for the commit of the first, and takes a while to go on.
      Reply write(StoreKey, std::int64_t value) override {
        if (value != 2) return Reply::Done;
        while (!slow_.committed) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        slow_.unblocked = true;
        return Reply::Done;
      }
      Reply read_list(StoreKey, std::vector<std::int64_t>&) override { return Reply::Done; }
      Reply append(StoreKey, std::int64_t) override { return Reply::Done; }
      Reply ask(const Asked&, RowAnswer&) override { return Reply::Done; }
      Reply commit() override { return slow_.committed = true, Reply::Done; }
      Reply rollback() override { return Reply::Done; }
      std::string problem() const override { return ""; }

     private:
      Slow& slow_;
    };
  } slow;
  (void)run(slow, parse_schedule("n | W1[x] W2[x] C1 R3[x] C2 C3").value());
  EXPECT_FALSE(slow.early);
}

}  // namespace
}  // namespace assay::test

#include "check/own_evidence.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "check/check.h"
#include "check/predicates.h"
#include "history_io/format.h"
#include "support/hist.h"

namespace assay {
namespace {

const std::optional<Section> kNone;

TEST(OwnEvidence, OfARightVerdictConvinces) {
  for (const char* text : {"S1: w(x,1)\nS2: r(x,1)\n", "S1: w(x,1) r(x,2)\nS2: r(x,0) w(x,2)\n"}) {
    const History history = test::hist(text);
    for (const Level level : {Level::Rc, Level::Cc, Level::Si, Level::Ser}) {
      const Verdict verdict = Checker(history).judge(level).value();
      const Judged judged{history, level, verdict, kNone};
      EXPECT_TRUE(is_cheap_to_certify(judged));
      EXPECT_TRUE(check_own_evidence(judged, "nowhere")) << text << id(level);
    }
  }
}

TEST(OwnEvidence, ThatIsRefusedIsAnInternalErrorAndTheHistoryIsSaved) {
  const History right = test::hist("S1: w(x,1)\nS2: r(x,1)\n"),
                other = test::hist("S1: w(x,1)\nS1: r(x,0)\n");
  const Verdict holds = Checker(right).judge(Level::Ser).value();
  const auto checked = check_own_evidence({other, Level::Ser, holds, kNone}, testing::TempDir());
  ASSERT_FALSE(checked);
  const std::string said = checked.error().describe();
  EXPECT_NE(said.find("internal error"), std::string::npos) << said;
  EXPECT_NE(said.find("there is no verdict"), std::string::npos) << said;
  std::smatch saved;
  ASSERT_TRUE(std::regex_search(said, saved, std::regex("saved as (.*[.]jsonl)"))) << said;
  const auto again = read_history(saved[1].str());
  std::filesystem::remove(saved[1].str());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->transaction_count(), 2u);
}

TEST(OwnEvidence, OfAViolationThatThereIsNoneOfIsRefused) {
  const History broken = test::hist("S1: w(x,1)\nS1: r(x,0)\n"),
                right = test::hist("S1: w(x,1)\nS1: r(x,1)\n");
  const Verdict fell = Checker(broken).judge(Level::Ser).value();
  EXPECT_FALSE(check_own_evidence({right, Level::Ser, fell, kNone}, "a folder that is not there"));
}

// Of histories of rows it is the section that speaks of them; it used to pass as what the checker has no
// rules for.
TEST(OwnEvidence, AboutRowsIsCheckedToo) {
  const History right = test::hist("@initial null S1: insert(x,1) S2: scan(a,z,[x=1])"),
                other = test::hist("@initial null S1: insert(x,1) S1: scan(a,z,[])");
  for (const Level level : {Level::Rc, Level::Cc, Level::Si, Level::Ser}) {
    PredicateChecker checker(right);
    const Verdict holds = checker.judge(level).value();
    const std::optional<Section> section = checker.section();
    EXPECT_TRUE(is_cheap_to_certify({right, level, holds, section}));
    EXPECT_TRUE(check_own_evidence({right, level, holds, section}, "nowhere"));
    if (level == Level::Rc) continue;  // nothing says that the reader saw its session
    EXPECT_FALSE(check_own_evidence({other, level, holds, section}, "a folder that is not there"))
        << id(level);
  }
}

// An execution runs each statement on all keys.
TEST(OwnEvidence, AboutRowsCostsWhatStatementsRangeOver) {
  std::string text = "S1: ";
  for (int i = 0; i < 5'000; ++i) text += "w(k" + std::to_string(i) + ",1) ";
  for (int i = 0; i < 8'000; ++i) text += "select(value > 1,[]) ";
  const History history = test::hist(text);
  const Verdict verdict = Holds{{{TxnId(0), true}}};
  const std::optional<Section> section = Section{Level::Ser, std::get<Holds>(verdict)};
  EXPECT_FALSE(is_cheap_to_certify({history, Level::Ser, verdict, section, 0, 100'000}));
  EXPECT_TRUE(is_cheap_to_certify({history, Level::Ser, verdict, section, 0, 1'000'000}));
}

TEST(OwnEvidence, IsCheckedOnLargeHistoriesWhereThatTakesATenthOfTheSteps) {
  std::string text;
  for (int i = 1; i <= 30'000; ++i) text += "S1: w(x," + std::to_string(i) + ")\n";
  const History history = test::hist(text);
  const Verdict verdict = Checker(history).judge(Level::Ser).value();
  EXPECT_FALSE(is_cheap_to_certify({history, Level::Ser, verdict, kNone, 0, 10'000}));
  EXPECT_TRUE(is_cheap_to_certify({history, Level::Ser, verdict, kNone, 0, 1'000'000}));
  const Verdict undecided = Undecided{"a limit"};
  EXPECT_FALSE(is_cheap_to_certify({history, Level::Ser, undecided, kNone, 0, 1'000'000}));
}

// A conflict at a weak level is a judgement of the whole history.
TEST(OwnEvidence, EstimatesTheStepsOfAVerdictByWhatWasCounted) {
  std::string text;
  for (int i = 1; i <= 3'000; ++i) text += "S1: w(x," + std::to_string(i) + ")\n";
  const History history = test::hist(text);
  CheckEffort effort;
  EXPECT_EQ(steps_of(effort, history, Level::Ser), 1'000u);
  effort.conflicts = 5;
  EXPECT_EQ(steps_of(effort, history, Level::Ser), 1'300u);
  EXPECT_EQ(steps_of(effort, history, Level::Cc), 6'000u);
  effort.choices = 7;
  effort.derived = 50;
  EXPECT_EQ(steps_of(effort, history, Level::Si), 1'470u);
}

}  // namespace
}  // namespace assay

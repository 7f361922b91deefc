// What a file of the corpus may say about itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus_tests/corpus.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

const std::string kAll = "# holds: ser\n";
const std::string kLost = "# holds: pc\n# violated: psi adya-si\n";

std::string complaint(const std::string& text) {
  const auto parsed = parse_case("case.hist", text);
  return parsed ? "none" : parsed.error().describe();
}

TEST(CorpusExpectation, IsReadFromTheComments) {
  const auto parsed = parse_case(
      "a.hist", "# Lost: both.\n" + kLost + "# anomaly: lost-update\nS1: r(x,0) w(x,1)\nS2: r(x,0) w(x,2)\n");
  ASSERT_TRUE(parsed) << parsed.error().describe();
  EXPECT_EQ(parsed->path, "a.hist");
  EXPECT_EQ(parsed->history.transaction_count(), 2u);
  EXPECT_EQ(parsed->holds.size(), 12u);  // pc implies levels that came later
  EXPECT_TRUE(parsed->holds.at(Level::Pc));
  EXPECT_TRUE(parsed->holds.at(Level::Rc));
  EXPECT_FALSE(parsed->holds.at(Level::Ser));
  EXPECT_FALSE(parsed->holds.at(Level::Psi));
  EXPECT_EQ(parsed->anomaly->anomaly, Anomaly::LostUpdate);
  EXPECT_EQ(parsed->anomaly->text(), "lost-update");
}

TEST(CorpusExpectation, KnowsTheSuffixesOfAnomalies) {
  const auto parsed = parse_case("a", "# Why.\n" + kLost + "# anomaly: g1c-session\nS1: r(x,1) | w(x,1)\n");
  ASSERT_TRUE(parsed) << parsed.error().describe();
  EXPECT_EQ(parsed->anomaly->anomaly, Anomaly::G1c);
  EXPECT_EQ(parsed->anomaly->suffix, "-session");
}

TEST(CorpusExpectation, NamesTheLevelsOfRealTimeExactlyWhereTheyCanBeJudged) {
  const std::string time = "# holds: strong-si strict-ser\n";
  EXPECT_EQ(complaint("# Why.\n" + time + "S1: <@0..1> w(x,1)"), "none");
  EXPECT_THAT(complaint("# Why.\n" + kAll + "S1: <@0..1> w(x,1)"), HasSubstr("nothing is said about gsi"));
  EXPECT_THAT(complaint("# Why.\n" + time + "S1: w(x,1)"), HasSubstr("strong-si cannot be judged"));
  EXPECT_EQ(complaint("# Why.\n" + kAll + "S1: <@0..> w(x,1)"), "none");
  EXPECT_EQ(complaint("# Why.\n" + time + "S1: <@0..1> w(x,1) | w(x,2)!  S2: w(x,3)?"), "none");
}

TEST(CorpusExpectation, IsRefusedWhenALevelIsLeftOpenTwiceThereOrUnknown) {
  EXPECT_THAT(complaint("# Why.\n# holds: si\nS1: w(x,1)"),
              HasSubstr("case.hist: nothing is said about ser"));
  EXPECT_THAT(complaint("# Why.\nS1: w(x,1)"), HasSubstr("nothing is said about rc"));
  EXPECT_THAT(complaint("# Why.\n" + kAll + "# violated: ser\nS1: w(x,1)"), HasSubstr("ser is named twice"));
  EXPECT_THAT(complaint("# Why.\n# holds: rc rc\nS1: w(x,1)"), HasSubstr("rc is named twice"));
  EXPECT_THAT(complaint("# Why.\n# holds: rr\nS1: w(x,1)"), HasSubstr("no level has the id 'rr'"));
  EXPECT_THAT(complaint("# Why.\n# holds: serializable\nS1: w(x,1)"), HasSubstr("'serializable'"));
  EXPECT_THAT(complaint("# Why.\n" + kAll + "# violated:\nS1: w(x,1)"), HasSubstr("a list without levels"));
}

TEST(CorpusExpectation, IsRefusedWhenItContradictsItselfOrNamesWhatIsImplied) {
  EXPECT_THAT(complaint("# Why.\n" + kAll + "# violated: si\nS1: w(x,1)"),
              HasSubstr("contradict each other"));
  EXPECT_THAT(complaint("# Why.\n# holds: ser si\nS1: w(x,1)"),
              HasSubstr("si need not be named: ser says it"));
  EXPECT_THAT(complaint("# Why.\n# violated: rc adya-si ser\nS1: w(x,1)"),
              HasSubstr("ser need not be named"));
}

TEST(CorpusExpectation, IsRefusedWhenItsAnomalyIsNotOne) {
  EXPECT_THAT(complaint("# Why.\n" + kLost + "# anomaly: lost\nS1: w(x,1)"), HasSubstr("'lost'"));
  EXPECT_THAT(complaint("# Why.\n" + kLost + "# anomaly: g1a-soon\nS1: w(x,1)"), HasSubstr("'g1a-soon'"));
  EXPECT_THAT(complaint("# Why.\n" + kLost + "# anomaly: g1a g1b\nS1: w(x,1)"), HasSubstr("one anomaly"));
  EXPECT_THAT(complaint("# Why.\n" + kLost + "# anomaly:\nS1: w(x,1)"), HasSubstr("one anomaly"));
  EXPECT_THAT(complaint("# Why.\n" + kLost + "# anomaly: g1a\n# anomaly: g1a\nS1: w(x,1)"),
              HasSubstr("one anomaly"));
  EXPECT_THAT(complaint("# Why.\n" + kAll + "# anomaly: g1a\nS1: w(x,1)"), HasSubstr("violates nothing"));
}

TEST(CorpusExpectation, IsRefusedWithoutASentenceWithAMisspellingAndWithABrokenHistory) {
  EXPECT_THAT(complaint(kAll + "S1: w(x,1)"), HasSubstr("no sentence"));
  EXPECT_THAT(complaint("#\n" + kAll + "S1: w(x,1)"), HasSubstr("no sentence"));
  EXPECT_THAT(complaint("# Why.\n# hold: rc\nS1: w(x,1)"), HasSubstr("'hold:' is no expectation"));
  EXPECT_THAT(complaint("# Why.\n" + kAll + "S1: w(x,1"), HasSubstr("case.hist:3"));
}

}  // namespace
}  // namespace assay::test

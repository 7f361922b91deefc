// Whom each read is from, which transactions count, and which reads are wrong at every level.
#include "dependency/read_facts.h"

#include <gmock/gmock.h>

#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Transactions are numbered in the order of the text.
constexpr TxnId kFirst{0}, kSecond{1}, kThird{2}, kFourth{3};

ReadFacts facts_of(std::string_view text, bool repeatable = true) {
  return read_facts(hist(text), repeatable).value();
}

std::vector<TxnId> writers(const ReadFacts& facts) {
  std::vector<TxnId> result;
  for (const ReadFact& read : facts.reads) result.push_back(read.writer);
  return result;
}

std::vector<TxnId> possible_writers(const ReadFacts& facts, const OpenRead& read) {
  std::vector<TxnId> result;
  for (const VersionId v : facts.candidates_of(read)) result.push_back(facts.writer(v));
  return result;
}

// What is wrong with the only wrong read.
Anomaly wrong(std::string_view text) {
  const ReadFacts facts = facts_of(text);
  EXPECT_THAT(facts.wrong, SizeIs(1)) << text;
  return facts.wrong.empty() ? Anomaly::Phantom : facts.wrong.front().anomaly;
}

TEST(ReadFacts, FindTheOnlyWriterOfAValue) {
  const ReadFacts facts = facts_of("S1: w(x,1)  S2: r(x,1)  S3: r(x,0)");
  EXPECT_THAT(writers(facts), ElementsAre(kFirst, TxnId::none()));
  EXPECT_EQ(facts.reads[0].version, facts.versions_by(kFirst).first);
  EXPECT_EQ(facts.reads[1].version, facts.initial_version(KeyId(0)));
  EXPECT_THAT(facts.open, IsEmpty());
  EXPECT_THAT(facts.wrong, IsEmpty());
}

TEST(ReadFacts, LeaveAReadOpenThatSeveralCanHaveWritten) {
  const ReadFacts facts = facts_of("S1: w(x,1)  S2: w(x,1)  S3: w(x,2)  S4: r(x,1)");
  EXPECT_THAT(writers(facts), IsEmpty());
  ASSERT_THAT(facts.open, SizeIs(1));
  EXPECT_EQ(facts.open[0].reader, kFourth);
  EXPECT_THAT(possible_writers(facts, facts.open[0]), ElementsAre(kFirst, kSecond));
}

TEST(ReadFacts, CountTheInitialVersionAmongThePossibleOnes) {
  const ReadFacts facts = facts_of("S1: w(x,0)  S2: r(x,0)");
  ASSERT_THAT(facts.open, SizeIs(1));
  EXPECT_THAT(possible_writers(facts, facts.open[0]), testing::UnorderedElementsAre(kFirst, TxnId::none()));
}

TEST(ReadFacts, PassOverReadsOfATransactionsOwnWrites) {
  EXPECT_THAT(writers(facts_of("S1: w(x,1) r(x,1)")), IsEmpty());
}

TEST(ReadFacts, CountATransactionOfUnknownOutcomeThatSomebodyReadFrom) {
  const ReadFacts facts = facts_of("S1: w(x,1)?  S2: w(x,2)?  S3: r(x,1)");
  EXPECT_THAT(facts.counts, ElementsAre(true, false, true));
  EXPECT_FALSE(facts.may_count_only(kSecond));
}

TEST(ReadFacts, FollowWhoReadFromWhomThroughUnknownOutcomes) {
  EXPECT_THAT(facts_of("S1: w(x,1)?  S2: r(x,1) w(y,1)?  S3: r(y,1)").counts, ElementsAre(true, true, true));
  EXPECT_THAT(facts_of("S1: w(x,1)?  S2: r(x,1) w(y,1)?  S3: r(y,0)").counts,
              ElementsAre(false, false, true));
}

TEST(ReadFacts, LetAnUnknownTransactionCountOnlyInSomeExecutionsIfOthersWroteTheValueToo) {
  const ReadFacts facts = facts_of("S1: w(x,1)?  S2: w(x,1)  S3: r(x,1)");
  EXPECT_FALSE(facts.counts[kFirst.index()]);
  EXPECT_TRUE(facts.may_count_only(kFirst));
  EXPECT_FALSE(facts.may_count_only(kSecond));
}

// Its own read shows that it cannot have committed, so the read is from the other one.
TEST(ReadFacts, TakeNoReadFromAnUnknownTransactionWithAWrongRead) {
  const ReadFacts facts = facts_of("S1: r(y,7) w(x,1)?  S2: w(x,1)  S3: r(x,1)");
  EXPECT_THAT(writers(facts), ElementsAre(kSecond));
  EXPECT_FALSE(facts.may_count_only(kFirst));
  EXPECT_THAT(facts.wrong, IsEmpty());
}

TEST(ReadFacts, NameWhatIsWrongWithAReadByItself) {
  EXPECT_EQ(wrong("S1: r(x,7)"), Anomaly::ThinAir);
  EXPECT_EQ(wrong("S1: w(x,1)!  S2: r(x,1)"), Anomaly::G1a);
  EXPECT_EQ(wrong("S1: w(x,1) w(x,2)  S2: r(x,1)"), Anomaly::G1b);
  EXPECT_EQ(wrong("S1: r(x,1) w(x,1)"), Anomaly::FutureRead);
  EXPECT_EQ(wrong("S1: w(x,1) r(x,0)"), Anomaly::NotOwnWrite);
  EXPECT_EQ(wrong("S1: w(x,1) w(x,2) r(x,1)"), Anomaly::NotOwnLastWrite);
}

TEST(ReadFacts, SayWhoseWriteAWrongReadSaw) {
  const ReadFacts facts = facts_of("S1: w(y,1)  S2: w(x,1)!  S3: r(x,1)");
  ASSERT_THAT(facts.wrong, SizeIs(1));
  EXPECT_EQ(facts.wrong[0].reader, kThird);
  EXPECT_EQ(facts.wrong[0].other, kSecond);
}

TEST(ReadFacts, ForbidReadsOfDifferentVersionsOnlyWhereReadsRepeat) {
  const char* text = "S1: w(x,1)  S2: r(x,0) r(x,1)";
  EXPECT_EQ(wrong(text), Anomaly::NonRepeatableRead);
  const ReadFacts facts = facts_of(text, false);
  EXPECT_THAT(facts.wrong, IsEmpty());
  EXPECT_THAT(writers(facts), ElementsAre(TxnId::none(), kFirst));
}

TEST(ReadFacts, LetTheFirstOfRepeatedReadsStandForAll) {
  const char* text = "S1: w(x,1)  S2: r(x,1) r(x,1)";
  EXPECT_THAT(writers(facts_of(text)), ElementsAre(kFirst));
  EXPECT_THAT(writers(facts_of(text, false)), ElementsAre(kFirst, kFirst));
}

TEST(ReadFacts, TakeTheVersionOrderFromLists) {
  const ReadFacts facts = facts_of("S1: append(l,1)  S2: append(l,2)  S3: append(l,3)  S4: r(l,[1 2])");
  std::vector<std::pair<TxnId, TxnId>> adjacent, later;
  for (const VersionOrder& order : facts.observed)
    (order.adjacent ? adjacent : later).emplace_back(facts.writer(order.before), facts.writer(order.after));
  EXPECT_THAT(adjacent, ElementsAre(std::pair(TxnId::none(), kFirst), std::pair(kFirst, kSecond)));
  EXPECT_THAT(later, ElementsAre(std::pair(kSecond, kThird)));
}

TEST(ReadFacts, FindListsThatDisagreeAboutTheOrder) {
  EXPECT_EQ(wrong("S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[2 1])"),
            Anomaly::IncompatibleOrder);
}

TEST(ReadFacts, EndWithoutAResultWhenTheBudgetIsSpent) {
  Budget budget({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  const auto facts = read_facts(hist("S1: w(x,1)  S2: r(x,1)"), true, budget);
  ASSERT_FALSE(facts);
  EXPECT_TRUE(facts.error().is_limit);
}

}  // namespace
}  // namespace assay::test

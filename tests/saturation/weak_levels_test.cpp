// What a transaction has in its view at each of the weak levels, and what the evidence says.
#include "saturation/weak_levels.h"

#include <gmock/gmock.h>

#include "support/evidence.h"
#include "support/hist.h"
#include "verdict/operation_place.h"

namespace assay::test {
namespace {

constexpr Level kWeakLevels[] = {Level::Pl2, Level::Mav, Level::Rc, Level::PlainRa, Level::Ra, Level::Cc};

// Only for histories whose reads have one possible writer each. The evidence is checked.
Verdict judge(std::string_view text, Level level) {
  const History history = hist(text);
  const ReadFacts facts = read_facts(history, reads_repeat(level)).value();
  EXPECT_TRUE(facts.open.empty() && facts.wrong.empty()) << text;
  ProofBuilder proof(
      false, [&](OpId op) { return std::ranges::lower_bound(facts.reads, op, {}, &ReadFact::op)->writer; },
      [&](OpId op) { return transaction_of(history, op); });
  Verdict verdict = judge_weak_level(history, facts, level, std::move(proof), Budget::unlimited());
  const auto evidence = certify(history, level, verdict);
  EXPECT_TRUE(evidence) << text << " at " << row(level).id << ": "
                        << (evidence ? "" : evidence.error().describe());
  return verdict;
}

bool holds(std::string_view text, Level level) { return std::holds_alternative<Holds>(judge(text, level)); }

std::string anomaly(std::string_view text, Level level) {
  const Verdict verdict = judge(text, level);
  const auto* violated = std::get_if<Violated>(&verdict);
  return violated == nullptr ? "holds" : anomaly_name(*violated);
}

TEST(WeakLevels, AllForbidACycleOfReads) {
  for (const Level level : kWeakLevels)
    EXPECT_EQ(anomaly("S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)", level), "g1c") << row(level).id;
}

TEST(WeakLevels, AllForbidWritersThatOverwriteEachOtherInTurn) {
  const char* text =
      "S1: append(x,1) append(y,1)  S2: append(x,2) append(y,2)  S3: r(x,[1 2])  S4: r(y,[2 1])";
  for (const Level level : kWeakLevels) EXPECT_EQ(anomaly(text, level), "g0") << row(level).id;
}

// Once it has read from the second writer, it has that one in its view.
TEST(WeakLevels, ReadCommittedForbidsToReadBackwards) {
  const char* backwards = "S1: w(x,1)  S2: r(x,1) w(x,2) w(y,2)  S3: r(y,2) r(x,1)";
  const char* forwards = "S1: w(x,1)  S2: r(x,1) w(x,2) w(y,2)  S3: r(x,1) r(y,2)";
  EXPECT_TRUE(holds(backwards, Level::Pl2));
  EXPECT_FALSE(holds(backwards, Level::Mav));
  EXPECT_FALSE(holds(backwards, Level::Rc));
  EXPECT_TRUE(holds(forwards, Level::Rc));
  EXPECT_FALSE(holds(forwards, Level::PlainRa));
}

TEST(WeakLevels, ReadAtomicForbidsToSeeATransactionInPart) {
  const char* fractured = "S1: w(x,1) w(y,1)  S2: r(x,0) r(y,1)";
  EXPECT_TRUE(holds(fractured, Level::Rc));
  EXPECT_EQ(anomaly(fractured, Level::PlainRa), "read-skew");
  EXPECT_EQ(anomaly(fractured, Level::Ra), "read-skew");
}

TEST(WeakLevels, ReadAtomicHasTheSessionInItsViewWhereThereAreSessions) {
  const char* own_write_missed = "S1: w(x,1) | r(x,0)";
  EXPECT_TRUE(holds(own_write_missed, Level::Rc));
  EXPECT_TRUE(holds(own_write_missed, Level::PlainRa));
  EXPECT_EQ(anomaly(own_write_missed, Level::Ra), "read-skew-session");
}

// It read from one that read from the first: causal consistency has the first in its view, no weaker level
// has.
TEST(WeakLevels, CausalConsistencyHasInItsViewWhatReachesIt) {
  const char* text = "S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)";
  for (const Level level : kWeakLevels)
    EXPECT_EQ(anomaly(text, level), level == Level::Cc ? "stale-initial-read" : "holds") << row(level).id;
}

TEST(WeakLevels, CausalConsistencyOrdersWritersThatAReaderHasInItsView) {
  // Each of the readers has both writers in its view and sees another one last.
  const char* text =
      "S1: w(x,1) w(y,1)  S2: w(x,2) w(z,2)  S3: r(y,1) w(a,1)  S4: r(z,2) w(b,1)"
      "  S5: r(a,1) r(b,1) r(x,1)  S6: r(a,1) r(b,1) r(x,2)";
  EXPECT_TRUE(holds(text, Level::Ra));
  EXPECT_FALSE(holds(text, Level::Cc));
}

TEST(WeakLevels, AllAllowWhatOnlyOrdersOfAllTransactionsForbid) {
  const char* long_fork = "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(x,0) r(y,1)";
  const char* lost_update = "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)";
  for (const Level level : kWeakLevels) {
    EXPECT_TRUE(holds(long_fork, level)) << row(level).id;
    EXPECT_TRUE(holds(lost_update, level)) << row(level).id;
  }
}

TEST(WeakLevels, OrderAnExecutionByWhatWasMissed) {
  const Verdict verdict = judge("S1: w(x,2)  S2: w(x,1) w(y,1)  S3: r(y,1) r(x,2)", Level::Ra);
  ASSERT_TRUE(std::holds_alternative<Holds>(verdict));
  std::vector<TxnId> order;
  for (const Point& point : std::get<Holds>(verdict).order) order.push_back(point.txn);
  EXPECT_THAT(order, testing::ElementsAre(TxnId(1), TxnId(0), TxnId(2)));
}

TEST(WeakLevels, AreUndecidedWhenTheBudgetIsSpent) {
  const History history = hist("S1: w(x,1)  S2: r(x,1)");
  const ReadFacts facts = read_facts(history, true).value();
  Budget spent({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  const ProofBuilder proof(false, {}, {});
  EXPECT_TRUE(std::holds_alternative<Undecided>(judge_weak_level(history, facts, Level::Cc, proof, spent)));
}

}  // namespace
}  // namespace assay::test

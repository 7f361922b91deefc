// What may be forgotten, case by case: the conditions in watch/settle.h, each beside a history that meets it.
#include "watch/settle.h"

#include <gtest/gtest.h>

#include "support/hist.h"

namespace assay::watch {
namespace {

using test::hist;

constexpr std::int64_t kHorizon = 100, kFrontier = 5000;

// How many transactions can be forgotten, if the execution is the history's transactions in their order.
std::size_t forgotten(std::string_view text, Level level = Level::StrictSer) {
  const History h = hist(text);
  const auto facts = read_facts(h, true).value();
  Order order;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted || !facts.counts[t.index()]) continue;
    if (level == Level::StrongSi) order.push_back({t, false});
    order.push_back({t, true});
  }
  return settle(h, facts, level, kHorizon, order, kFrontier).count;
}

TEST(Settle, ForgetsWhatEndedMoreThanTheHorizonBeforeTheFrontier) {
  EXPECT_EQ(forgotten("S1: <a @0..10> w(x,1)\nS2: <b @200..4899> w(x,2)"), 2u);
  EXPECT_EQ(forgotten("S1: <a @0..10> w(x,1)\nS2: <b @200..4900> w(x,2)"), 1u);
}

TEST(Settle, KeepsAVersionWhoseReaderIsKeptIfAnotherWriterMayHaveComeBefore) {
  // r began before w wrote, or not: nobody knows. The last writer makes version 1 dead.
  EXPECT_EQ(forgotten("S1: <d @0..10> w(x,1)\nS2: <r @0..4990> r(x,1)\nS3: <w @0..10> w(x,2)\n"
                      "S4: <last @1000..1010> w(x,3)"),
            0u);
  EXPECT_EQ(forgotten("S1: <d @0..10> w(x,1)\nS2: <r @0..4990> r(x,1)\nS3: <w @200..210> w(x,2)\n"
                      "S4: <last @1000..1010> w(x,3)"),
            1u);
}

TEST(Settle, KeepsWritersOfWhichEitherMayHaveBeenTheLast) {
  EXPECT_EQ(forgotten("S1: <p @0..10> w(x,1)\nS2: <q @0..10> w(x,2)"), 0u);
  EXPECT_EQ(forgotten("S1: <p @0..10> w(x,1)\nS2: <q @0..10> w(x,2)\nS3: <r @50..60> r(x,2)"), 0u);
  EXPECT_EQ(forgotten("S1: <p @0..10> w(x,1)\nS2: <q @0..10> w(x,2)\nS3: <r @300..310> r(x,2)"), 3u)
      << "a read tells";
  EXPECT_EQ(forgotten("S1: <p @0..10> w(x,1)\nS2: <q @0..10> w(x,2)\nS3: <w @300..310> w(x,3)"), 3u)
      << "both are dead";
}

TEST(Settle, DoesNotTrustTheReadsOfTransactionsThatAreNotSettled) {
  EXPECT_EQ(forgotten("S1: <p @0..10> w(x,1)\nS2: <q @0..10> w(x,2)\nS3: <r @300..4990> r(x,2)"), 0u);
}

TEST(Settle, OrdersTheAppendsOfAListEvenWhereTheyAreOverwritten) {
  EXPECT_EQ(
      forgotten("S1: <p @0..10> append(x,1)\nS2: <q @0..10> append(x,2)\nS3: <w @300..310> append(x,3)"), 0u);
  EXPECT_EQ(forgotten("S1: <p @0..10> append(x,1)\nS2: <q @0..10> append(x,2)\nS3: <r @300..310> r(x,[1 2])"),
            3u);
}

TEST(Settle, ForgetsNothingThatAnUnknownTransactionMayHaveComeBefore) {
  EXPECT_EQ(forgotten("S1: <d @0..10> w(x,1)\nS2: <u @50..> w(x,2)?"), 0u);
  EXPECT_EQ(forgotten("S1: <d @0..10> w(x,1)\nS2: <u @150..> w(x,2)?"), 1u);
}

TEST(Settle, ForgetsAtSnapshotIsolationToo) {
  EXPECT_EQ(forgotten("S1: <a @0..10> w(x,1)\nS2: <b @200..210> r(x,1) w(x,2)", Level::StrongSi), 2u);
}

TEST(Settle, RefusesLevelsThatReadStatesOfAnyAge) {
  for (const Level level : {Level::Rc, Level::Ra, Level::Cc, Level::Pc, Level::Psi, Level::Gsi,
                            Level::SessionSi, Level::Ser, Level::Si})
    EXPECT_FALSE(can_forget_at(level)) << id(level);
  EXPECT_TRUE(can_forget_at(Level::StrictSer));
  EXPECT_TRUE(can_forget_at(Level::StrongSi));
}

}  // namespace
}  // namespace assay::watch

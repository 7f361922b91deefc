#include "sql/snapshot.h"

#include <gtest/gtest.h>

namespace assay::sql {
namespace {

Snapshot next(Snapshot snapshot) {
  snapshot.next_statement();
  return snapshot;
}

const Snapshot kFirst = next(Snapshot()), kSecond = next(kFirst);
const Snapshot kInFirst = next(kFirst.of_call(1)), kLaterInFirst = next(kInFirst);
const Snapshot kInAnotherCall = next(kFirst.of_call(2));

TEST(Snapshot, OfALaterStatementOfTheSameBodyIsNewer) {
  EXPECT_TRUE(kFirst.is_surely_after(Snapshot()));
  EXPECT_TRUE(kSecond.is_surely_after(kFirst));
  EXPECT_FALSE(kFirst.is_surely_after(kSecond));
  EXPECT_FALSE(kFirst.is_surely_after(kFirst));
  EXPECT_TRUE(kLaterInFirst.is_surely_after(kInFirst));
  EXPECT_FALSE(kInFirst.is_surely_after(kLaterInFirst));
}

TEST(Snapshot, OfALaterStatementIsNewerThanWhatFunctionsOfAnEarlierOneDid) {
  EXPECT_TRUE(kSecond.is_surely_after(kInFirst));
  EXPECT_TRUE(next(kSecond.of_call(3)).is_surely_after(kLaterInFirst));
}

TEST(Snapshot, OfAStatementIsNotNewerThanWhatItsFunctionsDid) {
  EXPECT_FALSE(kFirst.is_surely_after(kInFirst));
  EXPECT_FALSE(kInFirst.is_surely_after(kFirst));
  EXPECT_TRUE(kInFirst.is_inside(kFirst));
  EXPECT_FALSE(kFirst.is_inside(kFirst));
  EXPECT_FALSE(kInFirst.is_inside(kSecond));
}

TEST(Snapshot, OfTwoCallsInOneStatementAreNotOrdered) {
  EXPECT_FALSE(kInFirst.is_surely_after(kInAnotherCall));
  EXPECT_FALSE(kInAnotherCall.is_surely_after(kInFirst));
}

}  // namespace
}  // namespace assay::sql

#include "random/shrink.h"

#include <gtest/gtest.h>

#include "history/compare.h"
#include "oracle/oracle.h"
#include "support/hist.h"

namespace assay::test {
namespace {

TEST(Shrink, LeavesNothingThatTheFailureDoesNotNeed) {
  const History history = hist(
      "S1: w(y,7) | r(y,7) r(x,0) w(x,1) w(y,8) | r(x,1)  S2: r(z,0) r(x,0) w(x,2) r(x,2)  S3: r(y,8) | "
      "w(z,3)!");
  const auto fails = [](const History& h) { return !oracle::allows(h, oracle::Level::si); };
  const History smallest = shrink(history, fails);
  const History lost_update = hist("S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)");
  EXPECT_EQ(first_difference(smallest, lost_update, {.names = false}), std::nullopt);
}

TEST(Shrink, KeepsTheWritersOfTheRowsThatAreShown) {
  const History history = hist(
      "@initial null S1: insert(1,7) update(value = 7,[1=8]) | insert(2,9) delete(3)  S2: select(value > "
      "7,[1=8]) scan(1,2,[1=8]) "
      "| update-maybe(value = 5,[1=4 2=4],0)");
  const auto fails = [](const History& h) { return h.operation_count() > 0; };
  const auto shows_a_row = [](const History& h) {
    for (const OpId op : h.operations())
      if (h.kind(op) == OpKind::Select) return true;
    return false;
  };
  EXPECT_EQ(shrink(history, fails).operation_count(), 1u);
  const History smallest = hist("@initial null S1: update(value = 7,[1=8])  S2: select(value > 7,[1=8])");
  EXPECT_EQ(first_difference(shrink(history, shows_a_row), smallest, {.names = false}), std::nullopt);
}

}  // namespace
}  // namespace assay::test

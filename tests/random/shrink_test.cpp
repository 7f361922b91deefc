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

}  // namespace
}  // namespace assay::test

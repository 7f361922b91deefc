#include "cli/limits.h"

#include <gtest/gtest.h>

#include <thread>

namespace assay::cli {
namespace {

// Those of large histories ask a few times a second: a limit that looked at the clock every 64th time came a
// minute late.
TEST(Limits, AreNoticedByThoseWhoAskRarely) {
  Limits limits(0.02, std::nullopt);
  limits.start("a test");
  for (int i = 0; i < 1000 && !limits.reached(); ++i) {
  }  // those who ask often come first
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  int asked = 1;
  for (; asked < 64 && !limits.reached(); ++asked) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_LE(asked, 8);
}

}  // namespace
}  // namespace assay::cli

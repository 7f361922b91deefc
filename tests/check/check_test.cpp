#include <gtest/gtest.h>

#include <filesystem>

#include "check/check.h"
#include "history_io/format.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;

// "holds", the anomaly, or the error.
std::string judge(std::string_view text, Level level) {
  const auto verdict = check(hist(text), level);
  if (!verdict) return verdict.error().what;
  if (const auto* violated = std::get_if<Violated>(&*verdict)) return std::string(name(violated->anomaly));
  return "holds";
}

TEST(Check, NamesReadsThatAreWrongByThemselves) {
  EXPECT_EQ(judge("S1: r(x,7)", Level::Rc), "thin-air");
  EXPECT_EQ(judge("S1: w(x,1)! S2: r(x,1)", Level::Rc), "g1a");
  EXPECT_EQ(judge("S1: w(x,1) w(x,2) S2: r(x,1)", Level::Rc), "g1b");
  EXPECT_EQ(judge("S1: r(x,1) w(x,1)", Level::Rc), "future-read");
  EXPECT_EQ(judge("S1: w(x,1) r(x,0)", Level::Rc), "not-own-write");
  EXPECT_EQ(judge("S1: w(x,1) w(x,2) r(x,1)", Level::Rc), "not-own-last-write");
  EXPECT_EQ(judge("S1: r(x,0) r(x,1) S2: w(x,1)", Level::Ra), "non-repeatable-read");
  EXPECT_EQ(judge("S1: r(x,0) r(x,1) S2: w(x,1)", Level::Rc), "holds");
}

TEST(Check, UnknownTransactionsCountOnlyWhenSomethingReadThem) {
  EXPECT_EQ(judge("S1: w(x,1)? | r(x,0) S2: r(x,1)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: w(x,1)? S2: r(x,0)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: r(y,7) w(x,1)? S2: r(x,0)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: r(y,7) w(x,1)? S2: r(x,1)", Level::Cc), "g1a");
}

TEST(Check, EachWeakLevelForbidsItsAnomaly) {
  const std::string_view non_monotonic = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(x,1) r(y,1)";
  const std::string_view fractured = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(y,1) r(x,1)";
  const std::string_view causal = "S1: w(x,1) S2: r(x,1) w(x,2) S3: r(x,2) w(y,1) S4: r(y,1) r(x,1)";
  EXPECT_EQ(judge(non_monotonic, Level::Rc), "non-monotonic-read");
  EXPECT_EQ(judge(fractured, Level::Rc), "holds");
  EXPECT_EQ(judge(fractured, Level::Ra), "fractured-read");
  EXPECT_EQ(judge(causal, Level::Ra), "holds");
  EXPECT_EQ(judge(causal, Level::Cc), "causality");
  EXPECT_EQ(judge("S1: w(x,1) r(y,1) S2: w(y,1) r(x,1)", Level::Rc), "g1c");
  EXPECT_EQ(judge("S1: r(x,0) w(x,1) | r(x,0)", Level::Ra), "fractured-read");
  EXPECT_EQ(judge("S1: w(x,1) S2: r(x,1) w(y,1) S3: r(y,1) r(x,0)", Level::Cc), "stale-initial-read");
}

TEST(Check, RefusesWhatItDoesNotJudge) {
  EXPECT_EQ(judge("S1: w(x,1) S2: w(x,1) S3: r(x,1)", Level::Cc), "x in transaction S3:1 has several possible writers");
  EXPECT_EQ(judge("S1: append(x,1)", Level::Rc), "the history has lists, rows or predicates");
  EXPECT_EQ(judge("S1: w(x,1)", Level::Ser), "ser is not judged by this version");
}

TEST(Check, ReproducesTheLabelsOfTheWeakHistories) {
  const std::string folder = ASSAY_SOURCE_DIR "/../shared/histories/weak/";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no labelled histories beside the project";
  const auto holds = [&](const std::string& file, Level level) {
    return std::holds_alternative<Holds>(*check(*read_history(folder + file), level));
  };
  for (const std::string n : {"00", "02"}) {
    EXPECT_TRUE(holds("causal-" + n + ".awdit", Level::Cc));
    EXPECT_TRUE(holds("read-atomic-" + n + ".awdit", Level::Ra));
    EXPECT_FALSE(holds("read-atomic-" + n + ".awdit", Level::Cc));
    EXPECT_TRUE(holds("read-committed-" + n + ".awdit", Level::Rc));
    EXPECT_FALSE(holds("read-committed-" + n + ".awdit", Level::Ra));
  }
  EXPECT_FALSE(holds("none-00.awdit", Level::Rc));
}

}  // namespace
}  // namespace assay

// Runs are compared after what no two runs share was blurred.
#include "replay/outcome.h"

#include <gmock/gmock.h>

namespace assay::replay {
namespace {

using testing::HasSubstr;
using testing::Optional;

const Blur kBlur(false, "2026-11-18");

TEST(Blur, HidesValuesOfSequences) {
  EXPECT_EQ(kBlur("(1500000000,7000000123,7)"), "(<next>,<next>,7)");
  EXPECT_EQ(kBlur("INV-1500000007x"), "INV-<next>x");
  EXPECT_EQ(kBlur("20001"), "20001");
  EXPECT_EQ(Blur(true, "2026-11-18")("20001"), "<next>");
}

TEST(Blur, HidesTheTimeOfTheRunAndNoOther) {
  EXPECT_EQ(kBlur("(\"2026-11-18 20:47:50.123+00\",1)"), "(\"<now>\",1)");
  EXPECT_EQ(kBlur("2026-11-17"), "<now>");
  EXPECT_EQ(kBlur("2024-03-01 00:00:00"), "2024-03-01 00:00:00");
}

TEST(Blur, HidesRandomUuids) {
  EXPECT_EQ(kBlur("(9f1b2c3d-0000-4abc-8def-0123456789ab)"), "(<uuid>)");
  EXPECT_EQ(kBlur("00000000-0000-4000-8000-000000000007"), "00000000-0000-4000-8000-000000000007");
}

Outcome outcome(std::vector<std::string> lines, std::vector<std::string> rows) {
  return {{Told{.committed = true, .why = {}, .state = {}, .lines = std::move(lines)}},
          {{"t", std::move(rows)}}};
}

TEST(Difference, IsNoneBetweenRunsThatAreAlike) {
  EXPECT_EQ(
      difference(outcome({"a.sql:1: v = '1'"}, {"(1)"}), outcome({"a.sql:1: v = '1'"}, {"(1)"}), {"T1 f"}),
      std::nullopt);
}

TEST(Difference, NamesTheVariableThatDiffers) {
  EXPECT_THAT(difference(outcome({"a.sql:1: v = '1', w = '2'"}, {}),
                         outcome({"a.sql:1: v = '3', w = '2'"}, {}), {"T1 f"}),
              Optional(std::string("T1 f has v = '3', not v = '1', at a.sql:1")));
}

TEST(Difference, NamesTheRowsThatDiffer) {
  EXPECT_THAT(difference(outcome({}, {"(1)", "(2)"}), outcome({}, {"(1)"}), {"T1 f"}),
              Optional(std::string("t ends with fewer rows instead of (2)")));
}

TEST(Difference, CountsARunThatFails) {
  Outcome failed = outcome({}, {});
  failed.told[0].committed = false;
  failed.told[0].why = "no";
  EXPECT_THAT(difference(outcome({}, {}), failed, {"T1 f"}), Optional(std::string("T1 f fails: no")));
}

}  // namespace
}  // namespace assay::replay

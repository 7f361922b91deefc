// Inputs with which a fuzzer broke a reader, made small.
#include <gtest/gtest.h>

#include "history/compare.h"
#include "support/hist.h"
#include "support/round_trip.h"

namespace assay {
namespace {

std::string problem(std::string_view text, std::string_view format) {
  const auto result = test::read_text(text, format);
  return result ? "accepted" : result.error().describe();
}

TEST(FuzzFindings, BrokenJsonInsideAnOperationIsRefused) {
  for (const std::string_view operation :
       {R"(["select",["=","a"x],[]])", R"(["select",["and"x],[]])", R"(["select",["=","a",,],[]])",
        R"(["delete",1})", R"(["update-maybe",["=","a",1],[]})"}) {
    const std::string line = R"({"session":1,"ops":[)" + std::string(operation) + "]}\n";
    EXPECT_EQ(problem(line, "jsonl").find("test:1: "), 0u) << problem(line, "jsonl");
  }
}

TEST(FuzzFindings, InitialValuesThatAreAllNullSurviveTheNativeFormat) {
  for (const std::string_view initial : {"@initial 0", "@initial none"}) {
    const History h = test::hist(std::string(initial) + " @initial (x=null) S1: w(x,1)");
    const auto again = test::round_trip(h, "jsonl");
    ASSERT_TRUE(again.has_value()) << again.error().describe();
    EXPECT_EQ(first_difference(h, *again), std::nullopt) << initial;
  }
}

// What stands at the beginning of a file and looks like a byte order mark is skipped by the reader.
TEST(FuzzFindings, ANameThatBeginsWithAByteOrderMarkSurvivesTheHistoryLanguage) {
  const History h = test::hist(
      "@initial 0 S1: r(x,0) \xef\xbb\xbf"
      "a: w(\xef\xbb\xbf,1)");
  const auto again = test::round_trip(h, "hist");
  ASSERT_TRUE(again.has_value()) << again.error().describe();
  EXPECT_EQ(first_difference(h, *again), std::nullopt);
  const auto alone = test::round_trip(test::hist("\"\xef\xbb\xbf\": w(x,1)"), "hist");
  ASSERT_TRUE(alone.has_value()) << alone.error().describe();
}

// A transaction without a name is called by its session and place; the native format writes that down.
TEST(FuzzFindings, SessionsWithInvisibleCharactersSurviveTheNativeFormat) {
  for (const std::string_view name : {"\"a\x7f\"", "\"a\xc2\x85\"", "\"\xe2\x80\xae b\"", "\"\\u0001\""}) {
    const History h = test::hist(std::string(name) + ": w(x,1)");
    const auto again = test::round_trip(h, "jsonl");
    ASSERT_TRUE(again.has_value()) << again.error().describe();
    EXPECT_EQ(first_difference(h, *again), std::nullopt) << name;
  }
}

TEST(FuzzFindings, AHeaderThatIsAlsoATransactionIsRefused) {
  for (const std::string_view line :
       {R"({"assay":1,"ops":[["r",1,2]]})", R"({"assay":1,"session":1,"ops":[]})"})
    EXPECT_EQ(problem(line, "jsonl"),
              "test:1: a header that is also a transaction (\"assay\" has a line of its own)");
}

TEST(FuzzFindings, PolysiTextWithoutTransactionsIsRefused) {
  EXPECT_EQ(problem(" \n", "polysi"),
            "test: no operation in the file (an operation is r(key,value,session,txn))");
  EXPECT_EQ(problem("r(1,0,1,-1)\n", "polysi"),
            "test: the history holds no transactions (there is nothing to judge; check that the recorder "
            "ran, and that "
            "this is its file)");
}

}  // namespace
}  // namespace assay

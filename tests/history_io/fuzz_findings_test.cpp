// Inputs with which a fuzzer broke a reader, made small.
#include <gtest/gtest.h>

#include "support/round_trip.h"

namespace assay {
namespace {

std::string problem(std::string_view text, std::string_view format) {
  const auto result = test::read_text(text, format);
  return result ? "accepted" : result.error().describe();
}

TEST(FuzzFindings, BrokenJsonInsideAPredicateIsRefused) {
  for (const std::string_view predicate : {R"(["=","a"x])", R"(["and"x])", R"(["=","a",,])"}) {
    const std::string line = R"({"session":1,"ops":[["select",)" + std::string(predicate) + ",[]]]}\n";
    EXPECT_EQ(problem(line, "jsonl").find("test:1: "), 0u) << problem(line, "jsonl");
  }
}

}  // namespace
}  // namespace assay

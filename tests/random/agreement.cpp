#include "random/agreement.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "support/evidence.h"
#include "support/oracle_level.h"

namespace assay::test {
namespace {

std::string complaint(const History& history, Level level, const Verdict& verdict) {
  if (std::holds_alternative<Undecided>(verdict)) return "undecided";
  const bool holds = std::holds_alternative<Holds>(verdict);
  if (holds != oracle::allows(history, of_oracle(level)))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, level, verdict);
  return certified ? "" : certified.error().describe();
}

}  // namespace

std::string complaint(const History& history, Level level, const CheckOptions& options) {
  const auto alone = Checker(history, options).judge(level);
  if (!alone) return "";
  if (auto wrong = complaint(history, level, *alone); !wrong.empty()) return wrong;
  Checker upwards(history, options), downwards(history, options);
  for (std::size_t i = 0; i < kJudged.size(); ++i)
    for (const auto& [checker, other] :
         {std::pair(&upwards, kJudged[i]), std::pair(&downwards, kJudged[kJudged.size() - 1 - i])}) {
      const auto verdict = checker->judge(other);
      if (!verdict) return "";
      if (auto wrong = complaint(history, other, *verdict); !wrong.empty())
        return std::string(id(other)) + " after others: " + wrong;
    }
  return "";
}

void Tally::expect_both(std::size_t least) const {
  for (std::size_t i = 0; i < kJudged.size(); ++i) {
    std::printf("%s: %zu held, %zu fell\n", id(kJudged[i]).data(), held_[i], fell_[i]);
    EXPECT_GT(held_[i], least);
    EXPECT_GT(fell_[i], least);
  }
}

}  // namespace assay::test

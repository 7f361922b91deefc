// check() against the oracle on histories in which values are written more than once; the evidence of every verdict is
// certified. Counted are only histories with a read that has two possible writers.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/check.h"
#include "random/random_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

constexpr std::array kJudged{Level::Rc, Level::Ra, Level::Cc, Level::Pc, Level::Psi,
                             Level::Si, Level::AdyaSi, Level::Ser, Level::PlainSer};

std::string complaint(const History& history, Level level, const Verdict& verdict) {
  if (std::holds_alternative<Undecided>(verdict)) return "";  // counted below
  const bool holds = std::holds_alternative<Holds>(verdict);
  if (holds != oracle::allows(history, of_oracle(level))) return holds ? "holds, says check" : "violated, says check";
  const auto certified = certify(history, level, verdict);
  return certified ? "" : certified.error().describe();
}

// Judged alone, and after others that may imply it, from the weakest on and from the strongest on.
std::string complaint(const History& history, Level level, const CheckOptions& options) {
  const auto alone = Checker(history, options).judge(level);
  if (!alone) return "";
  if (auto wrong = complaint(history, level, *alone); !wrong.empty()) return wrong;
  Checker upwards(history, options), downwards(history, options);
  for (std::size_t i = 0; i < kJudged.size(); ++i)
    for (const auto& [checker, other] : {std::pair(&upwards, kJudged[i]), std::pair(&downwards, kJudged[kJudged.size() - 1 - i])}) {
      const auto verdict = checker->judge(other);
      if (!verdict) return "";
      if (auto wrong = complaint(history, other, *verdict); !wrong.empty())
        return std::string(id(other)) + " after others: " + wrong;
    }
  return "";
}

bool has_open_read(const History& history) {
  const auto facts = read_facts(history, true);
  return facts && std::ranges::any_of(facts->open, [&](const OpenRead& r) { return facts->candidates_of(r).size() > 1; });
}

void expect_agreement(const std::string& suite, std::size_t histories, const CheckOptions& options,
                      const RandomHistoryOptions& kind = {.lists = false}) {
  Random random(suite_seed(suite));
  std::array<std::size_t, kJudged.size()> held{}, fell{};
  std::size_t undecided = 0;  // what lists show of transactions that may count is not always known
  const std::size_t most_undecided = kind.lists ? histories / 20 : 0;
  while (histories > 0) {
    const History history = random_history(random, kind);
    if (!has_open_read(history)) continue;
    --histories;
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const auto verdict = Checker(history, options).judge(kJudged[j]);
      ASSERT_TRUE(verdict.has_value());
      undecided += std::holds_alternative<Undecided>(*verdict);
      ++(std::holds_alternative<Holds>(*verdict) ? held : fell)[j];
      if (const std::string wrong = complaint(history, kJudged[j], options); !wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("repeated-" + std::string(id(kJudged[j])), history,
                                 [&](const History& h) { return !complaint(h, kJudged[j], options).empty(); });
    }
  }
  std::printf("%zu undecided\n", undecided);
  EXPECT_LE(undecided, most_undecided);
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(kJudged[j]).data(), held[j], fell[j]);
    EXPECT_GT(held[j], 100u);
    EXPECT_GT(fell[j], 100u);
  }
}

TEST(RepeatedValues, AreJudgedAsTheOracleDoes) { expect_agreement("RepeatedValues", scaled(100000, 3000), {}); }

TEST(RepeatedValues, AreJudgedBySearchAlone) {
  expect_agreement("RepeatedValuesSearch", scaled(30000, 1500), {.greedy = false, .saturation = false});
}

TEST(RepeatedValues, AreJudgedBesideLists) {
  expect_agreement("RepeatedValuesLists", scaled(100000, 1500), {}, {.list_share = 0.5});
}

TEST(RepeatedValues, AreJudgedUnderAssumptions) {
  expect_agreement("RepeatedValuesAssumed", scaled(30000, 500),
                   {.greedy = false, .saturation = false, .assumption = {.after = 0, .first_window = 1}});
}

TEST(RepeatedValues, AreJudgedBySaturationFirst) {
  expect_agreement("RepeatedValuesSaturation", scaled(30000, 1500), {.greedy = false, .saturate_after = 0});
}

}  // namespace
}  // namespace assay::test

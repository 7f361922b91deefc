// check() against the oracle on histories with rows and predicates; the evidence of every verdict is certified.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "check/predicates.h"
#include "history/digest.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "verdict/certify.h"

namespace assay::test {
namespace {

constexpr std::array kJudged{Level::Rc, Level::Ra, Level::Cc, Level::Pc, Level::Psi,
                             Level::Si, Level::AdyaSi, Level::Ser, Level::PlainSer};

bool is_weak(Level level) { return level == Level::Rc || level == Level::Ra || level == Level::Cc || level == Level::Psi; }

// By way of the text that a user would have.
std::string refused(const History& history, Level level, const Verdict& verdict, const Items& items) {
  Certificate certificate{digest(history), {}, items.invisible};
  if (const auto* holds = std::get_if<Holds>(&verdict)) certificate.sections.push_back({level, *holds});
  else certificate.sections.push_back({level, std::get<Violated>(verdict).proof});
  const auto parsed = parse_certificate(print(certificate, history, &items), history);
  if (!parsed) return parsed.error().describe();
  const auto certified = certify(history, *parsed);
  return certified ? "" : certified.error().describe();
}

std::string complaint(const History& history, Level level, const CheckOptions& options) {
  PredicateChecker checker(history, options);
  auto verdict = checker.judge(level);
  if (!verdict) return verdict.error().describe();
  if (std::holds_alternative<Undecided>(*verdict)) return "undecided";
  const bool holds = std::holds_alternative<Holds>(*verdict);
  if (holds != oracle::allows(history, of_oracle(level))) return holds ? "holds, says check" : "violated, says check";
  if (holds && is_weak(level)) {
    if (!checker.make_all()) return "not all reads could be made";
    verdict = checker.settled(level, std::move(*verdict));
    if (!std::holds_alternative<Holds>(*verdict)) return "with all reads it does not hold";
  }
  return refused(history, level, *verdict, checker.items());
}

bool has_maybe(const History& h) {
  return std::ranges::any_of(h.operations(), [&](OpId op) { return h.kind(op) == OpKind::UpdateMaybe; });
}

TEST(Predicates, AreJudgedAsTheOracleDoes) {
  Random random(suite_seed("Predicates"));
  std::array<std::size_t, kJudged.size()> held{}, fell{};
  for (std::size_t left = scaled(50000, 1500); left > 0;) {
    const History history = random_predicate_history(random);
    if (has_maybe(history)) continue;
    --left;
    for (std::size_t j = 0; j < kJudged.size(); ++j) {
      const std::string wrong = complaint(history, kJudged[j], {});
      if (!wrong.empty())
        FAIL() << wrong << "\n"
               << report_failure("predicates-" + std::string(id(kJudged[j])), history, [&](const History& h) {
                    return !has_maybe(h) && !complaint(h, kJudged[j], {}).empty();
                  });
      ++(oracle::allows(history, of_oracle(kJudged[j])) ? held : fell)[j];
    }
  }
  for (std::size_t j = 0; j < kJudged.size(); ++j) {
    std::printf("%s: %zu held, %zu fell\n", id(kJudged[j]).data(), held[j], fell[j]);
    EXPECT_GT(held[j], 25u);
    EXPECT_GT(fell[j], 25u);
  }
}

}  // namespace
}  // namespace assay::test

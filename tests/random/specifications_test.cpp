// Specifications, the fast checker and the brute-force oracle say the same about random histories; and what
// is found for random specifications is what trying every history finds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/rebuild.h"
#include "random/shrink.h"
#include "spec/load.h"
#include "spec/published.h"
#include "support/all_histories.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "support/shared_levels.h"
#include "synthesis/facts.h"
#include "synthesis/find.h"
#include "synthesis/judge.h"

namespace assay::test {
namespace {

using Kind = synthesis::Judgement::Kind;

Kind judged(const spec::Specification& spec, const History& history) {
  const auto judgement = synthesis::judge(spec, history, {}, false);
  if (!judgement) ADD_FAILURE() << judgement.error().describe();
  return judgement ? judgement->kind : Kind::Undecided;
}

bool holds(const History& history, Level level) {
  return std::holds_alternative<Holds>(Checker(history).judge(level).value());
}

TEST(Specifications, AgreeWithTheCheckerAndTheOracleOnRandomHistories) {
  std::vector<spec::Specification> specs;
  for (const SharedLevel& shared : kSharedLevels)
    specs.push_back(spec::load_specification(shared.spec).value());
  Random random(suite_seed("Specifications"));
  for (std::size_t i = scaled(10000, 150); i > 0; --i) {
    const History history = random_history(random, {.most_transactions = 5, .lists = false});
    for (std::size_t s = 0; s < specs.size(); ++s) {
      const auto differs = [&](const History& h) {
        const bool by_spec = judged(specs[s], h) == Kind::Holds;
        return by_spec != holds(h, kSharedLevels[s].level) ||
               by_spec != oracle::allows(h, of_oracle(kSharedLevels[s].level));
      };
      if (differs(history)) FAIL() << report_failure(kSharedLevels[s].spec, history, differs);
    }
  }
}

TEST(Specifications, AgreeAboutRealTimeWithTheCheckerAndTheOracle) {
  std::vector<spec::Specification> specs;
  for (const SharedLevel& shared : kSharedLevelsOfRealTime)
    specs.push_back(spec::load_specification(shared.spec).value());
  Random random(suite_seed("SpecificationsOfRealTime"));
  std::size_t held = 0, fell = 0;
  for (std::size_t i = scaled(10000, 150); i > 0; --i) {
    const History drawn = random_history(random, {.most_transactions = 5, .instants = true, .lists = false});
    Rebuilding how = as_it_is(drawn);
    how.only_begin_and_end = true;
    const History history = rebuild(drawn, how);
    const auto recorded = synthesis::facts_of(history, std::vector<bool>(history.transaction_count()));
    ASSERT_TRUE(recorded);
    if (!recorded->facts.clocks || !Checker(history).judge(Level::StrictSer)) continue;
    for (std::size_t s = 0; s < specs.size(); ++s) {
      const auto differs = [&](const History& h) {
        if (!Checker(h).judge(Level::StrictSer)) return false;  // while shrinking
        const bool by_spec = judged(specs[s], h) == Kind::Holds;
        ++(by_spec ? held : fell);
        return by_spec != holds(h, kSharedLevelsOfRealTime[s].level) ||
               by_spec != oracle::allows(h, of_oracle(kSharedLevelsOfRealTime[s].level));
      };
      if (differs(history)) FAIL() << report_failure(kSharedLevelsOfRealTime[s].spec, history, differs);
    }
  }
  EXPECT_GT(held, 50u);
  EXPECT_GT(fell, 50u);
}

// A level's name of the checker stands for a specification that is held against it above.
TEST(Specifications, StandForEveryLevelOfTheChecker) {
  for (const LevelRow& row : levels()) {
    const auto checked =
        std::ranges::find_if(spec::checked_levels(), [&](const auto& l) { return l.name == row.id; });
    ASSERT_NE(checked, spec::checked_levels().end()) << row.id;
    const auto is_held = [&](const SharedLevel& shared) {
      return shared.level == row.level && std::string(shared.spec) == checked->spec;
    };
    EXPECT_TRUE(std::ranges::any_of(kSharedLevels, is_held) ||
                std::ranges::any_of(kSharedLevelsOfRealTime, is_held))
        << row.id;
  }
}

// The evaluator, which enumerates, against the encoding, which searches.
TEST(Specifications, AreEvaluatedAsTheyAreEncoded) {
  Random random(suite_seed("SpecificationsEvaluated"));
  for (std::size_t i = scaled(500, 40); i > 0; --i) {
    const History history =
        random_history(random, {.most_transactions = 3, .most_keys = 2, .lists = false, .unknown = false});
    const auto recorded = synthesis::facts_of(history, std::vector<bool>(history.transaction_count()));
    ASSERT_TRUE(recorded);
    if (!recorded->wrong_read.empty()) continue;
    for (const SharedLevel& shared : kSharedLevels) {
      const auto spec = spec::load_specification(shared.spec);
      const auto allowed = allows_by_enumeration(*spec, recorded->facts, 2000);
      if (!allowed) continue;
      EXPECT_EQ(*allowed, judged(*spec, history) == Kind::Holds) << shared.spec << ' ' << i;
    }
  }
}

class RandomText {
 public:
  explicit RandomText(Random& random) : random_(random) {}

  std::string specification() {
    const bool relation = random_.chance(0.4), axiom = random_.chance(0.7);
    return fmt::format("framework f {{ witness co : total order on Txn {} {} {} }}\nlevel L in f: {}",
                       relation ? "witness v : relation on Txn axiom v in co" : "let v = so | wr",
                       axiom ? "axiom so | wr in co" : "", random_.chance(0.3) ? "axiom so in v" : "",
                       formula(2));
  }

 private:
  std::string one_of(std::initializer_list<const char*> texts) {
    return texts.begin()[random_.below(texts.size())];
  }

  std::string relation(int depth) {
    if (depth == 0 || random_.chance(0.3))
      return one_of({"so", "wr", "co", "v", "causal", "conflict", "(W * R)", "id"});
    const std::string a = relation(depth - 1), b = relation(depth - 1);
    switch (random_.below(8)) {
      case 0: return fmt::format("({} | {})", a, b);
      case 1: return fmt::format("({} & {})", a, b);
      case 2: return fmt::format("({} \\ {})", a, b);
      case 3: return fmt::format("({} . {})", a, b);
      case 4: return fmt::format("{}^-1", a);
      case 5: return fmt::format("({})+", a);
      case 6: return fmt::format("([updating] . {})", a);
      default: return fmt::format("{{s, t : {}(s,t) and not {}(t,s)}}", a, b);
    }
  }

  std::string formula(int depth) {
    if (depth > 0 && random_.chance(0.5)) {
      const std::string a = formula(depth - 1), b = formula(depth - 1);
      switch (random_.below(5)) {
        case 0: return fmt::format("({} and {})", a, b);
        case 1: return fmt::format("({} or {})", a, b);
        case 2: return fmt::format("({} => {})", a, b);
        case 3: return fmt::format("(not {})", a);
        default: return fmt::format("(within updating: {})", a);
      }
    }
    const std::string r = relation(2), s = relation(1);
    switch (random_.below(9)) {
      case 0: return fmt::format("acyclic {}", r);
      case 1: return fmt::format("irreflexive {}", r);
      case 2: return fmt::format("({} in {})", s, r);
      case 3: return fmt::format("transitive {}", r);
      case 4:
        return fmt::format(
            "(all x; t1, t2 in W(x); t3: t1 != t2 and wr[x](t1,t3) and {}(t2,t3) => co(t2,t1))", r);
      case 5: return fmt::format("(some x, t: W(x)(t) and {}(t,max(co,R(x))))", r);
      case 6: return fmt::format("(lone s, t: {}(s,t) and s != T0)", r);
      case 7: return fmt::format("(total {} on updating)", r);
      default: return fmt::format("(no t: t != T0 and {}(t,t))", r);
    }
  }

  Random& random_;
};

// Two random specifications: is there a history that one allows and the other forbids?
TEST(Specifications, RandomOnesAreToldApartAsByTryingEveryHistory) {
  Random random(suite_seed("SpecificationsComposed"));
  std::size_t separated = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    RandomText text(random);
    const std::string a = text.specification(), b = text.specification();
    const auto first = spec::library_of_text(a, "first"), second = spec::library_of_text(b, "second");
    ASSERT_TRUE(first) << first.error().describe() << '\n' << a;
    ASSERT_TRUE(second) << second.error().describe() << '\n' << b;
    const synthesis::Problem problem{{first->find("", "L").value()}, {second->find("", "L").value()}};
    const synthesis::Scope scope = random.chance(0.3)   ? synthesis::Scope{3, 1, 2}
                                   : random.chance(0.2) ? synthesis::Scope{2, 1, 2, true}
                                                        : synthesis::Scope{2, 2, 2};
    bool exists = false;
    synthesis::Scope size = scope;
    for (size.transactions = 1; size.transactions <= scope.transactions && !exists; ++size.transactions)
      AllHistories(size, [&](const spec::HistoryFacts& facts) {
        exists = allows_by_enumeration(problem.allow[0], facts) == true &&
                 allows_by_enumeration(problem.forbid[0], facts) == false;
        return !exists;
      }).run();
    synthesis::FindOptions options;
    options.scope = scope;
    const auto found = synthesis::find(problem, options);
    ASSERT_TRUE(found) << found.error().describe() << '\n' << a << '\n' << b;
    EXPECT_EQ(!found->found.empty(), exists) << a << '\n' << b;
    separated += exists ? 1 : 0;
  }
  EXPECT_GT(separated, 0u);
}

}  // namespace
}  // namespace assay::test

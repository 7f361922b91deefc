// The encoding says what the evaluator says, on all histories of tiny scopes.
#include <gtest/gtest.h>

#include "support/all_histories.h"
#include "support/random.h"
#include "synthesis/concrete.h"
#include "synthesis/specs.h"

namespace assay::test {
namespace {

using synthesis::ConcreteAnswer;
using synthesis::Scope;

const char* const kLevels =
    "biswas:RC biswas:RA biswas:CC biswas:PC biswas:UA biswas:PSI biswas:SI biswas:NLU biswas:SER "
    "biswas:UpdateSer biswas:SI-2019 cerone:RA "
    "cerone:UA cerone:CC cerone:PSI cerone:PC cerone:SI cerone:SER cerone:NLU cerone:UpdateSer adya:RU "
    "adya:RC adya:PSI adya:SI "
    "adya:SER adya:UpdatersAlone adya:PL-1 adya:PL-2 adya:PL-CS adya:PL-2plus adya:PL-3U adya:PL-299 "
    "adya:PL-3 "
    "adya:PL-SI adya:PL-FCV cerone2015:RA cerone2015:UA cerone2015:CC cerone2015:PSI cerone2015:PC "
    "cerone2015:SI "
    "cerone2015:SER crooks:PSI crooks:RC crooks:SI crooks:SER crooks:SessionSI crooks:SessionSER plume:RA "
    "plume:CC plume:CI plume:RC berenson:RU berenson:RC berenson:CS berenson:RR berenson:SER berenson:SI "
    "bailis:RU bailis:RC bailis:I-CI bailis:MAV bailis:MonotonicReads bailis:MonotonicWrites "
    "bailis:ReadYourWrites bailis:WritesFollowReads bailis:PRAM bailis:Causal sessions:ReadYourWrites "
    "sessions:MonotonicReads sessions:MonotonicWrites sessions:WritesFollowReads sessions:PRAM ardekani:NMSI";

const char* const kLevelsOfRealTime =
    "realtime:GSI realtime:SessionSI realtime:StrongSI realtime:StrictSER realtime:RSS crooks:ANSI-SI "
    "crooks:TimedSessionSI crooks:StrongSI crooks:StrictSER";

void compare_all(const Scope& scope, std::size_t every, const char* const names = kLevels) {
  const auto levels = specs(names);
  std::size_t seen = 0, allowed = 0, forbidden = 0;
  AllHistories(
      scope,
      [&](const spec::HistoryFacts& facts) {
        if (seen++ % every != 0) return true;
        for (const spec::Specification& spec : levels) {
          const ConcreteAnswer answer = synthesis::allows(spec, facts);
          const bool allows = answer.kind == ConcreteAnswer::Kind::Allowed;
          (allows ? allowed : forbidden)++;
          EXPECT_EQ(spec::allows_by_enumeration(spec, facts), allows) << spec.name << ", history " << seen;
          if (!allows) continue;
          EXPECT_TRUE(satisfies(spec, finite_history(facts, answer.explanation.writers),
                                answer.explanation.witnesses))
              << spec.name;
        }
        return !testing::Test::HasFailure();
      },
      scope.clocks)
      .run();
  EXPECT_GT(allowed, 100u);
  EXPECT_GT(forbidden, 20u);
}

TEST(SpecEncoding, AgreesWithTheEvaluatorOnAllHistoriesOfTwoTransactions) { compare_all({2, 2, 2}, 7); }
TEST(SpecEncoding, AgreesWithTheEvaluatorOnHistoriesOfThreeTransactions) { compare_all({3, 1, 2}, 5); }
TEST(SpecEncoding, AgreesWithTheEvaluatorWhereValuesAreWrittenTwice) { compare_all({2, 1, 2, true}, 1); }

TEST(SpecEncoding, AgreesWithTheEvaluatorWhereReadsAreNotRepeatable) {
  compare_all({.transactions = 2, .objects = 1, .values = 3, .repeatable_reads = false}, 3);
}

TEST(SpecEncoding, AgreesWithTheEvaluatorAboutRealTime) {
  compare_all({.transactions = 2, .objects = 2, .values = 3, .clocks = true}, 31, kLevelsOfRealTime);
  compare_all({.transactions = 3, .objects = 1, .values = 3, .clocks = true}, 401, kLevelsOfRealTime);
}

// All histories of a scope that a problem asks for, by the encoding of histories and by trying all.
void count_all(const synthesis::Problem& problem, const Scope& scope, bool numbered = true,
               bool ends = false) {
  std::set<std::vector<std::uint32_t>> expected;
  Scope one = scope;
  for (one.transactions = 1; one.transactions <= scope.transactions; ++one.transactions)
    AllHistories(
        one,
        [&](const spec::HistoryFacts& facts) {
          const auto allows = [&](const spec::Specification& spec) {
            return spec::allows_by_enumeration(spec, facts) == true;
          };
          if (std::ranges::all_of(problem.allow, allows) && std::ranges::none_of(problem.forbid, allows))
            expected.insert(synthesis::canonical_form(facts));
          return true;
        },
        ends)
        .run();
  synthesis::FindOptions options;
  options.all = 100000;
  options.search.numbered = numbered;
  const auto result = found(problem, scope, options);
  std::set<std::vector<std::uint32_t>> forms;
  for (const auto& one_found : result.found) {
    spec::HistoryFacts facts = one_found.solution.facts;
    for (; facts.objects < scope.objects; ++facts.objects)
      facts.writes.insert({0, static_cast<std::uint32_t>(facts.objects), 0});
    EXPECT_TRUE(forms.insert(synthesis::canonical_form(facts)).second);
  }
  EXPECT_EQ(forms, expected);
}

TEST(SpecEncoding, FindsEveryHistoryWithRealTime) {
  const Scope two{.transactions = 2, .objects = 1, .values = 3, .clocks = true};
  count_all({specs("realtime:RSS"), specs("realtime:StrictSER")}, two);
  count_all({specs("biswas:SER"), specs("realtime:StrictSER")}, two);
  count_all({specs("crooks:SI"), specs("crooks:StrongSI")}, two, true, true);
  if (scaled(100, 0) == 100)
    count_all({specs("realtime:RSS"), specs("realtime:StrictSER")},
              {.transactions = 3, .objects = 1, .values = 2, .clocks = true});
}

TEST(SpecEncoding, FindsEveryHistoryWithNonRepeatableReads) {
  const Scope scope{.transactions = 2, .objects = 1, .values = 3, .repeatable_reads = false};
  count_all({specs("adya:PL-2"), specs("plume:CI")}, scope);
  count_all({specs("plume:CI"), specs("cerone:SER")}, scope, false);
}

TEST(SpecEncoding, FindsEveryHistoryOnceUpToNames) {
  count_all({specs("biswas:Any"), {}}, {2, 2, 2});
  count_all({specs("biswas:SI"), specs("biswas:SER")}, {2, 2, 3});
  count_all({specs("cerone:RA"), specs("biswas:CC")}, {3, 1, 3});
}
TEST(SpecEncoding, FindsTheSameWithoutBreakingSymmetries) {
  count_all({specs("biswas:RA"), specs("cerone:SI")}, {2, 2, 2}, false);
}
TEST(SpecEncoding, FindsEveryHistoryWithoutBlindWrites) {
  count_all({specs("biswas:RA"), specs("biswas:SI")}, {2, 1, 3, false, false});
}
TEST(SpecEncoding, FindsEveryHistoryWithRepeatedValues) {
  count_all({specs("biswas:CC"), specs("biswas:SER")}, {2, 1, 2, true});
  count_all({specs("cerone:CC"), specs("adya:SI")}, {2, 1, 2, true});
}
TEST(SpecEncoding, FindsHistoriesThatNoLevelMustAllow) { count_all({{}, specs("adya:SER")}, {2, 1, 3}); }

}  // namespace
}  // namespace assay::test

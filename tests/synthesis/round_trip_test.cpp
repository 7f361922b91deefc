// What is found passes and fails the checker at every level that both know: the two halves confirm each
// other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "history_io/format.h"
#include "history_io/hist_writer.h"
#include "support/hist.h"
#include "support/shared_levels.h"
#include "synthesis/compare.h"
#include "synthesis/facts.h"
#include "synthesis/judge.h"
#include "synthesis/specs.h"

namespace assay::test {
namespace {

std::string as_hist(const History& history) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  EXPECT_TRUE(write_hist(history, sink, {}));
  EXPECT_TRUE(sink.close());
  return text;
}

bool passes(const History& history, Level level) {
  return std::holds_alternative<Holds>(Checker(history).judge(level).value());
}

TEST(FoundHistories, PassAndFailTheCheckerAccordingly) {
  std::size_t separated = 0;
  for (const SharedLevel& a : kSharedLevels)
    for (const SharedLevel& b : kSharedLevels) {
      const bool implied = implies(a.level, b.level);
      auto result = found({specs(a.spec), specs(b.spec)}, {3, 2, 3});
      if (result.found.empty() && !implied) result = found({specs(a.spec), specs(b.spec)}, {4, 2, 3});
      EXPECT_EQ(result.found.empty(), implied) << a.spec << " and not " << b.spec;
      if (result.found.empty()) continue;
      ++separated;
      const History history = hist(as_hist(synthesis::history_of(result.found[0].solution.facts)));
      EXPECT_TRUE(passes(history, a.level)) << a.spec << " and not " << b.spec << '\n' << as_hist(history);
      EXPECT_FALSE(passes(history, b.level)) << a.spec << " and not " << b.spec << '\n' << as_hist(history);
    }
  EXPECT_GT(separated, 100u);
}

TEST(FoundHistories, AreNamedAndInSessions) {
  spec::HistoryFacts facts{4, 2, 3, {}, {}, {}};
  facts.writes = {{0, 0, 0}, {0, 1, 0}, {1, 0, 1}, {3, 0, 2}};
  facts.reads = {{2, 0, 1}, {2, 1, 0}};
  facts.session_order = {{1, 3}};
  EXPECT_EQ(as_hist(synthesis::history_of(facts)), "S1: <T1> w(x,1) | <T3> w(x,2)\nS2: <T2> r(x,1) r(y,0)\n");
}

TEST(FoundHistories, AreReadBackAsTheyWere) {
  const History history =
      hist("S1: r(x,0) w(x,1) w(x,2) r(x,2) | w(y,1)?  S2: r(x,2) | r(y,0)!  S3: r(x,2) r(x,2)");
  const auto recorded = synthesis::facts_of(history, {false, true, false, false, false});
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->wrong_read, "");
  EXPECT_EQ(recorded->facts.transactions, 5u);  // with the initial one, without the aborted one
  EXPECT_EQ(recorded->facts.writes.size(), 4u);
  EXPECT_EQ(recorded->facts.reads.size(), 4u);
  EXPECT_EQ(recorded->facts.session_order, (spec::Rows{{1, 2}}));
}

std::string judged(const std::string& spec, const std::string& text) {
  const auto judgement = synthesis::judge(specs(spec)[0], hist(text), {});
  if (!judgement) return judgement.error().what;
  std::string result = judgement->kind == synthesis::Judgement::Kind::Holds ? "holds" : "violated";
  for (const std::string& line : judgement->lines) result += "; " + line;
  return result;
}

TEST(JudgeBySpecification, ShowsTheWitnesses) {
  EXPECT_EQ(judged("biswas:SER", "S1: <a> w(x,1)  S2: <b> r(x,1)"), "holds; co: a < b");
  EXPECT_EQ(judged("cerone:RA", "S1: <a> w(x,1)  S2: <b> r(x,1)"), "holds; ar: a < b; vis: a->b");
  EXPECT_EQ(judged("adya:SER", "S1: <a> w(x,1)  S2: <b> r(x,1) w(x,2)"), "holds; ww[x]: a < b");
}

TEST(JudgeBySpecification, KnowsRealTimeFromInstants) {
  EXPECT_EQ(judged("realtime:StrictSER", "S1: <a @0..10> w(x,1)  S2: <b @20..30> r(x,0)").substr(0, 8),
            "violated");
  EXPECT_EQ(judged("realtime:StrictSER", "S1: <a @0..20> w(x,1)  S2: <b @20..30> r(x,0)").substr(0, 5),
            "holds");
  EXPECT_EQ(judged("realtime:StrictSER", "S1: <a @0..10> w(x,1)  S2: <b> r(x,0)"),
            "realtime:StrictSER speaks of real time, and the history does not say when each transaction "
            "began and ended");
  // It is not known when one of unknown outcome ended.
  EXPECT_EQ(
      judged("realtime:StrictSER", "S1: <a @0..10> w(x,1)?  S2: <b @20..30> r(x,0)  S3: <c @40..50> r(x,1)")
          .substr(0, 5),
      "holds");
}

TEST(JudgeBySpecification, KnowsLabelsFromNames) {
  const char* const lost_update = "S1: <{}> r(x,0) w(x,1)  S2: <red-2> r(x,0) w(x,2)";
  EXPECT_EQ(judged("labelled:RedBlue", fmt::format(fmt::runtime(lost_update), "pay-red")).substr(0, 8),
            "violated");
  EXPECT_EQ(judged("labelled:RedBlue", fmt::format(fmt::runtime(lost_update), "predator")).substr(0, 5),
            "holds");
}

// What is found says its clocks and labels, so that it can be judged again.
TEST(RoundTrip, KeepsRealTimeAndLabels) {
  for (const char* pair : {"realtime:RSS realtime:StrictSER", "crooks:SI crooks:StrongSI",
                           "cerone:CC labelled:RedBlue", "labelled:SitePSI cerone:SI"}) {
    const auto both = specs(pair);
    const auto result = found({{both[0]}, {both[1]}}, {4, 2, 3});
    ASSERT_EQ(result.found.size(), 1u) << pair;
    const History history = synthesis::history_of(result.found[0].solution.facts);
    EXPECT_EQ(synthesis::judge(both[0], history, {})->kind, synthesis::Judgement::Kind::Holds) << pair;
    EXPECT_EQ(synthesis::judge(both[1], history, {})->kind, synthesis::Judgement::Kind::Violated) << pair;
  }
}

TEST(JudgeBySpecification, SaysWhatFails) {
  EXPECT_EQ(judged("biswas:RA", "S1: <a> w(x,1) | <b> r(x,0)"),
            "violated; co: a < b: RA fails for x = x, t1 = T0, t2 = a, t3 = b: co(a,T0) is missing");
  EXPECT_EQ(judged("adya:SER", "S1: <a> r(x,0) w(x,1)  S2: <b> r(x,0) w(x,2)"),
            "violated; ww[x]: a < b: SER fails: the cycle a -> b -> a; ww[x]: b < a: SER fails: the cycle a "
            "-> b -> a");
}

// Twelve transactions that are fine, and two that are not.
TEST(JudgeBySpecification, ExplainsLongerHistories) {
  std::string text = "S1: <a> r(x,0) w(x,1)  S2: <b> r(x,0) w(x,2)  S3:";
  for (int i = 0; i < 12; ++i) text += fmt::format("{}w(y,{})", i == 0 ? " " : " | ", i + 1);
  EXPECT_THAT(judged("biswas:SI", text), testing::HasSubstr("co(a,T0) is missing"));
  EXPECT_THAT(judged("adya:SER", text), testing::HasSubstr("the cycle a -> b -> a"));
}

TEST(JudgeBySpecification, ExplainsWhereSessionsAndReadsFormACycle) {
  EXPECT_EQ(judged("biswas:Any", "S1: <a> r(x,1) | <b> w(x,1)").substr(0, 8), "violated");
  EXPECT_THAT(judged("biswas:Any", "S1: <a> r(x,1) | <b> w(x,1)"), testing::HasSubstr("fails"));
  EXPECT_EQ(judged("crooks:SER", "S1: <a> r(x,1) | <b> w(x,1)").substr(0, 5), "holds");
}

TEST(JudgeBySpecification, JudgesAHundredTransactions) {
  std::string text = "S1:";
  for (int i = 0; i < 100; ++i) text += fmt::format("{}r(x,{}) w(x,{})", i == 0 ? " " : " | ", i, i + 1);
  EXPECT_EQ(judged("biswas:CC", text).substr(0, 5), "holds");
}

TEST(JudgeBySpecification, KnowsReadsThatAreWrongEverywhere) {
  EXPECT_EQ(judged("biswas:Any", "S1: <a> r(x,7)"),
            "violated; a reads a value of x that no other transaction left there");
  EXPECT_EQ(judged("biswas:Any", "S1: <a> w(x,1) r(x,0)"), "violated; a does not read its own write of x");
  EXPECT_EQ(judged("biswas:Any", "S1: <a> w(x,1)!  S2: <b> r(x,1)"),
            "violated; b reads a value of x that no other transaction left there");
}

TEST(JudgeBySpecification, LeavesOutWhatNeedNotHaveHappened) {
  EXPECT_EQ(judged("biswas:SER", "S1: <a> w(x,1)? | <b> r(x,0)  S2: <c> r(x,1)").substr(0, 5), "holds");
  EXPECT_EQ(judged("biswas:SER", "S1: <a> w(x,1) | <b> r(x,0)  S2: <c> r(x,1)").substr(0, 8), "violated");
}

TEST(JudgeBySpecification, AllowsHistoriesInWhichNothingHappened) {
  for (const SharedLevel& shared : kSharedLevels) {
    EXPECT_EQ(judged(shared.spec, "S1: <a> ()  S2: <b> ()").substr(0, 5), "holds") << shared.spec;
    EXPECT_EQ(judged(shared.spec, "S1: <a> w(x,1)!").substr(0, 5), "holds") << shared.spec;
  }
}

TEST(JudgeBySpecification, RefusesWhatItCannotSpeakOf) {
  EXPECT_EQ(judged("biswas:SER", "S1: <a> append(l,1)"),
            "a does something other than reading and writing single values");
}

TEST(Compare, SaysHowLevelsRelate) {
  const auto relation = [](const char* a, const char* b) {
    synthesis::FindOptions options;
    options.scope = {4, 2, 3};
    return std::string(word(synthesis::compare(specs(a)[0], specs(b)[0], options)->relation));
  };
  EXPECT_EQ(relation("biswas:SI", "cerone:SI"), "equivalent");
  EXPECT_EQ(relation("biswas:SI", "biswas:PC"), "stronger");
  EXPECT_EQ(relation("plume:RA", "biswas:RA"), "weaker");
  EXPECT_EQ(relation("cerone:PC", "cerone:PSI"), "incomparable");
}

TEST(Compare, OrdersSeveralLevels) {
  synthesis::FindOptions options;
  options.scope = {4, 2, 3};
  const auto lattice =
      synthesis::lattice(specs("cerone:SER biswas:PC cerone:PSI biswas:SI cerone:SI cerone:CC"), options);
  ASSERT_TRUE(lattice);
  EXPECT_TRUE(lattice->equivalent(3, 4));
  EXPECT_TRUE(lattice->covers(0, 3));
  EXPECT_FALSE(lattice->covers(0, 4));  // the second of two that are equivalent
  EXPECT_TRUE(lattice->covers(3, 1));
  EXPECT_TRUE(lattice->covers(3, 2));
  EXPECT_FALSE(lattice->covers(3, 5));
  EXPECT_EQ(lattice->implies[1][2], false);
  EXPECT_EQ(lattice->implies[2][1], false);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(lattice->implies[i][j] == false, lattice->separated_by[i][j].has_value());
}

}  // namespace
}  // namespace assay::test

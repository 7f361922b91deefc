#include "explain/explain.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/predicates.h"
#include "simulate/generator.h"
#include "support/explained.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;
using testing::ElementsAre;
using testing::HasSubstr;

Explanation story(std::string_view text, Level level) {
  const History history = hist(text);
  Checker checker(history);
  const auto verdict = judge_and_name(checker, level);
  EXPECT_TRUE(verdict);
  Explanation e = explain(checker, level, std::get<Violated>(*verdict));
  EXPECT_THAT(test::ExplanationCheck(history, level, std::get<Violated>(*verdict), e).problems(),
              testing::IsEmpty());
  return e;
}

std::vector<std::string> shape(const std::vector<Dependency>& edges, const History& h) {
  std::vector<std::string> result;
  for (const Dependency& d : edges)
    result.push_back(h.display(d.from) + " " + std::string(name(d.kind)) + " " + h.display(d.to));
  return result;
}
std::vector<std::string> shape(const Explanation& e) { return shape(e.edges, e.part); }

TEST(Explain, LeavesOutWhatDoesNotMatter) {
  const Explanation e = story(
      "A: <a1> w(z,1) r(x,0) w(y,1) | <a2> r(z,1) w(q,4)  B: <b1> r(y,0) r(q,0) w(x,1)  C: <c1> r(q,4) "
      "w(q,5) | <c2> r(x,1)",
      Level::Ser);
  EXPECT_EQ(e.name, "write-skew");
  EXPECT_EQ(e.part.transaction_count(), 2u);
  EXPECT_EQ(e.part.operation_count(), 4u);
  EXPECT_TRUE(e.minimal);
  EXPECT_EQ(title(e), "Write skew on x and y");
  EXPECT_THAT(shape(e), ElementsAre("a1 rw b1", "b1 rw a1"));
  EXPECT_THAT(e.still_hold, ElementsAre(Level::Si));
}

TEST(Explain, CallsTransactionsAsTheWholeHistoryDoes) {
  const Explanation e = story("S1: w(q,1) | r(x,0) w(y,1)  S2: w(q,2) | w(q,3) | r(y,0) w(x,1)", Level::Ser);
  EXPECT_THAT(shape(e), ElementsAre("S1:2 rw S2:3", "S2:3 rw S1:2"));
  EXPECT_THAT(e.sentences[1], HasSubstr("S2:3 read y=0, the initial value, which S1:2 overwrote with 1."));
}

TEST(Explain, ALostUpdateIsAReadThatWasOverwrittenAndAnOverwritingWrite) {
  const Explanation e = story("S1: <T1> r(x,0) w(x,1)  S2: <T2> r(x,0) w(x,2)", Level::Si);
  EXPECT_EQ(e.name, "lost-update");
  EXPECT_THAT(shape(e), ElementsAre("T1 ww T2", "T2 rw T1"));
  EXPECT_TRUE(e.edges[0].inferred);
  ASSERT_TRUE(e.edges[0].reason);
  EXPECT_THAT(shape(e.edges[0].reason->steps, e.part), ElementsAre("T1 rw T2"));
  EXPECT_FALSE(e.edges[1].inferred);
  EXPECT_THAT(e.rules_out, testing::Contains(Level::Psi));
  EXPECT_THAT(e.still_hold, ElementsAre(Level::Pc));
}

// The reader of two blind writers: each order of x is refuted by what it read of y.
TEST(Explain, AnInferredOrderHasTheReadsThatForceIt) {
  const Explanation e =
      story("S1: <T1> w(x,1) w(y,1)  S2: <T2> w(x,2) w(y,2)  S3: <T3> r(x,1) r(y,2)", Level::Ser);
  EXPECT_EQ(e.name, "read-skew");
  EXPECT_EQ(e.part.transaction_count(), 3u);
  ASSERT_EQ(e.edges.size(), 2u);
  const auto inferred = std::ranges::find_if(e.edges, &Dependency::inferred);
  ASSERT_NE(inferred, e.edges.end());
  EXPECT_EQ(inferred->kind, Dependency::Kind::Rw);
  ASSERT_TRUE(inferred->reason);
  ASSERT_EQ(inferred->reason->steps.size(), 1u);
  const Dependency& order = inferred->reason->steps[0];
  EXPECT_NE(order.key, inferred->key);
  EXPECT_THAT(order.reason->sentence, HasSubstr(", for otherwise T3 would have seen "));
  EXPECT_TRUE(order.reason->supposed);
  EXPECT_FALSE(inferred->reason->reads.empty());
  for (const OpId read : inferred->reason->reads)
    EXPECT_EQ(e.part.display(transaction_of(e.part, read)), "T3");
}

TEST(Explain, NamesASessionOnlyWhereItIsNeeded) {
  EXPECT_EQ(story("S1: r(x,0) w(x,1) | r(x,0)", Level::Ser).name, "read-your-writes-violation");
  const Explanation e = story("S1: <a> w(x,5) | <b> r(x,5) w(x,6)  S2: <c> r(x,5) w(x,7)", Level::Si);
  EXPECT_EQ(e.name, "lost-update");
  EXPECT_THAT(shape(e), testing::Not(testing::Contains(HasSubstr(" so "))));
}

TEST(Explain, AWrongReadExplainsItself) {
  const auto said = [](std::string_view text, Level level = Level::Rc) {
    return story(text, level).sentences[0];
  };
  EXPECT_EQ(said("S1: <T1> r(x,7)"), "T1 read x=7, which nobody wrote.");
  EXPECT_EQ(said("S1: <T1> w(x,1)! S2: <T2> r(x,1)"), "T2 read x=1 from T1, which aborted.");
  EXPECT_EQ(said("S1: <T1> w(x,1) w(x,2) S2: <T2> r(x,1)"),
            "T2 read x=1, but T1 went on to write x=2 in the same transaction.");
  EXPECT_EQ(said("S1: <T1> r(x,1) w(x,1)"), "T1 read x=1 before it wrote that itself.");
  EXPECT_EQ(said("S1: <T1> w(x,1) r(x,0)"), "T1 read x=0 after it had itself written x=1.");
  EXPECT_EQ(said("S1: <T1> w(x,1) w(x,2) r(x,1)"), "T1 read x=1 after it had itself written x=2.");
  EXPECT_EQ(said("S1: <T1> r(x,0) r(x,1) S2: <T2> w(x,1)", Level::Ra), "T1 read x=1 after it had read x=0.");
  EXPECT_EQ(said("S1: <T1> append(l,1) S2: <T2> r(l,[9 1])"), "T2 read l=[9 1], of which 9 nobody wrote.");
  EXPECT_THAT(story("S1: <T1> r(y,7) w(x,1)? S2: <T2> r(x,1)", Level::Cc).sentences,
              ElementsAre(HasSubstr("T1, which did not take effect"),
                          HasSubstr("it cannot have committed: it read y=7")));
}

TEST(Explain, ListsShowTheOrderOfTheirWriters) {
  const Explanation e = story(
      "S1: <T1> append(l,1) append(m,1) S2: <T2> append(l,2) append(m,2) S3: <T3> r(l,[1 2]) S4: <T4> r(m,[2 "
      "1])",
      Level::Rc);
  EXPECT_EQ(e.name, "g0");
  EXPECT_THAT(e.edges, testing::Each(testing::Field(&Dependency::inferred, false)));
  EXPECT_THAT(e.sentences, testing::Contains("T3 read l=[1 2], 1 of T1 before 2 of T2."));
}

TEST(Explain, ShowsListsAsTheyWereRead) {
  const Explanation e =
      story("S1: <T1> append(l,1) | <T2> append(l,2) S2: <T3> r(l,[1]) append(l,3) S3: <T4> r(l,[1 2 3])",
            Level::Ser);
  EXPECT_THAT(e.sentences, testing::Contains(HasSubstr("T3 read l=[1], without 2, which T2 appended.")));
}

TEST(Explain, LeavesOutOfLongListsWhatDoesNotMatter) {
  std::string text, elements;
  for (int i = 10; i < 30; ++i) {
    text += "W: append(l," + std::to_string(i) + ")\n";
    elements += std::to_string(i) + " ";
  }
  text += "S1: <T1> append(l,1) S2: <T2> append(l,2) S3: <T3> r(l,[" + elements + "1 2]) S4: <T4> r(l,[" +
          elements + "2 1])";
  const Explanation e = story(text, Level::Ser);
  EXPECT_EQ(e.name, "incompatible-order");
  EXPECT_TRUE(e.shortened_lists);
  EXPECT_THAT(e.sentences, testing::Contains("T3 read l=[... 1 2], 1 of T1 before 2 of T2."));
}

TEST(Explain, TakesTheSmallestPartSoFarWhenTimeIsUp) {
  const History history = hist("S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1) S3: w(z,1)");
  Checker checker(history);
  const auto verdict = judge_and_name(checker, Level::Ser);
  Budget none({.seconds = 0});
  const Explanation e = explain(checker, Level::Ser, std::get<Violated>(*verdict), {.smaller = &none});
  EXPECT_FALSE(e.minimal);
  EXPECT_TRUE(std::holds_alternative<Violated>(*check(e.part, Level::Ser)));
  EXPECT_EQ(e.name, "write-skew");
}

TEST(Explain, NamesNoAnomalyWhereThereWasNoTimeToFindOutWhich) {
  const History history = hist("S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1) S3: w(z,1)");
  bool is_over = false;
  Budget budget(
      {.ask = [&](std::size_t) { return is_over ? std::optional<std::string>("over") : std::nullopt; }});
  Checker checker(history, {.budget = &budget});
  const Verdict verdict = checker.judge(Level::Ser).value();
  is_over = true;
  const Violated violated = named(checker, Level::Ser, std::get<Violated>(verdict));
  EXPECT_FALSE(violated.anomaly.has_value());
  EXPECT_EQ(anomaly_name(violated), "unnamed");
  Budget none({.ask = [](std::size_t) { return std::optional<std::string>("time is up"); }});
  const Explanation e = explain(checker, Level::Ser, violated, {&none, &none});
  EXPECT_EQ(e.name, "unnamed");
  EXPECT_TRUE(title(e).starts_with("Violation of ser")) << title(e);
  EXPECT_FALSE(meaning(e).empty());
  // With time for a part of the history, that has a name.
  EXPECT_EQ(explain(checker, Level::Ser, violated).name, "write-skew");
}

// Nothing that an explanation does may take longer than whoever waits for it.
TEST(Explain, TellsOfTheWholeHistoryWhenItHasToGiveUp) {
  const History history = hist("S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1) S3: w(z,1)");
  Checker checker(history);
  const auto verdict = judge_and_name(checker, Level::Ser);
  int asked = 0;
  Budget none({.ask = [&](std::size_t) { return ++asked, std::optional<std::string>("time is up"); }});
  const Explanation e = explain(checker, Level::Ser, std::get<Violated>(*verdict), {&none, &none});
  EXPECT_GT(asked, 0);
  EXPECT_FALSE(e.minimal);
  EXPECT_EQ(e.part.transaction_count(), 3u);
  EXPECT_EQ(e.name, "write-skew");
  EXPECT_THAT(e.rules_out, testing::ElementsAre(Level::Ser, Level::StrictSer));
  EXPECT_FALSE(e.sentences.empty());
}

// si allows the planted one, and what else it allows is not there.
TEST(Explain, FindsThePlantedPhantom) {
  const Generated made = generate({.isolation = Level::Si,
                                   .shape = Shape::Ranges,
                                   .sessions = 5,
                                   .transactions = 400,
                                   .operations = 8,
                                   .keys = 60,
                                   .inject = Anomaly::Phantom,
                                   .seed = 3})
                             .value();
  PredicateChecker checker(made.history);
  EXPECT_TRUE(std::holds_alternative<Holds>(judge_and_name(checker, Level::Si).value()));
  const auto verdict = judge_and_name(checker, Level::Ser).value();
  ASSERT_TRUE(std::holds_alternative<Violated>(verdict));
  const Explanation e = explain(checker.subject()->checker, Level::Ser, std::get<Violated>(verdict));
  EXPECT_EQ(e.name, "phantom");
  EXPECT_EQ(e.part.transaction_count(), made.injected.size());
}

std::string asked(std::string_view text) {
  const History history = hist(text);
  PredicateChecker checker(history);
  const auto verdict = judge_and_name(checker, Level::Rc).value();
  const Explanation e = explain(checker.subject()->checker, Level::Rc, std::get<Violated>(verdict));
  return e.cases ? e.cases->question : "";
}

TEST(Explain, SaysWhichVersionsAStatementCanHaveMet) {
  EXPECT_EQ(asked("@initial 5\nS1: <T1> select(key = \"x\" and value < 7,[]) | <T2> w(y,1)"
                  "  S2: <T3> r(y,1) | <T4> w(x,9) | <T5> w(x,8)"),
            "T1 did not find x among the rows where key = x and value < 7; of its versions only those of T4 "
            "and T5 do not match.");
  std::string many =
      "@initial 5\nS1: <T1> select(key = \"x\" and value < 7,[]) | <T2> w(y,1)  S2: <T3> r(y,1)";
  for (int i = 11; i < 21; ++i) many += fmt::format(" | <T{}> w(x,{})", i, i);
  EXPECT_EQ(asked(many),
            "T1 did not find x among the rows where key = x and value < 7; of its versions only those of "
            "T11, T12, T13, "
            "T14, T15 and 5 others do not match.");
}

bool breaks(const History& history, Level level) {
  PredicateChecker checker(history);
  return std::holds_alternative<Violated>(judge_and_name(checker, level).value());
}

// A part in which a row's writer is missing must not take its absence for a fact.
TEST(Explain, OfRowsRulesOutOnlyWhatTheHistoryBreaks) {
  int explained = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const History history = generate({.isolation = Level::Ra,
                                      .shape = Shape::Predicates,
                                      .sessions = 4,
                                      .transactions = 40,
                                      .operations = 2,
                                      .keys = 6,
                                      .seed = seed})
                                .value()
                                .history;
    PredicateChecker checker(history);
    const auto verdict = judge_and_name(checker, Level::PlainSer).value();
    if (!std::holds_alternative<Violated>(verdict)) continue;
    ++explained;
    for (const Level level :
         explain(checker.subject()->checker, Level::PlainSer, std::get<Violated>(verdict)).rules_out) {
      EXPECT_TRUE(breaks(history, level)) << seed << " " << id(level);
    }
  }
  EXPECT_GT(explained, 5);
}

// 18 took effect because 34 did, which the proof speaks of for another reason, and 34 because 40 read from
// it: without these reads the part would not show the violation, and the whole history would be told.
TEST(Explain, KeepsWhatShowsThatATransactionTookEffect) {
  const History history = hist(
      "S1: <7> w(0,5) | <16> r(1,5)  S3: <9> w(1,5) | <23> r(1,12) r(0,17)"
      "  S6: <11> w(1,12) | <18> r(0,5) w(2,25)? | <34> r(2,25) w(0,21) r(1,18)? | <40> r(0,21)"
      "  S4: <17> w(1,14) | <20> w(2,28) w(0,17)  S2: <27> r(1,14) r(2,28) w(1,18)?");
  Checker checker(history, {.greedy = false, .saturation = false});
  const auto verdict = judge_and_name(checker, Level::Pc);
  ASSERT_TRUE(verdict.has_value());
  const auto* fell = std::get_if<Violated>(&*verdict);
  ASSERT_NE(fell, nullptr);
  EXPECT_TRUE(explain(checker, Level::Pc, *fell).minimal);
}

}  // namespace
}  // namespace assay

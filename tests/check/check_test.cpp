#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "certify/certify.h"
#include "explain/name.h"
#include "history/builder.h"
#include "support/evidence.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;

// "holds", the anomaly, or the error.
std::string judge(std::string_view text, Level level) {
  const History history = hist(text);
  Checker checker(history);
  const auto verdict = judge_and_name(checker, level);
  if (!verdict) return verdict.error().what;
  if (const auto* violated = std::get_if<Violated>(&*verdict)) return anomaly_name({violated->anomaly});
  return "holds";
}

TEST(Check, NamesReadsThatAreWrongByThemselves) {
  EXPECT_EQ(judge("S1: r(x,7)", Level::Rc), "thin-air");
  EXPECT_EQ(judge("S1: w(x,1)! S2: r(x,1)", Level::Rc), "g1a");
  EXPECT_EQ(judge("S1: w(x,1) w(x,2) S2: r(x,1)", Level::Rc), "g1b");
  EXPECT_EQ(judge("S1: r(x,1) w(x,1)", Level::Rc), "future-read");
  EXPECT_EQ(judge("S1: w(x,1) r(x,0)", Level::Rc), "not-own-write");
  EXPECT_EQ(judge("S1: w(x,1) w(x,2) r(x,1)", Level::Rc), "not-own-last-write");
  EXPECT_EQ(judge("S1: r(x,0) r(x,1) S2: w(x,1)", Level::Ra), "non-repeatable-read");
  EXPECT_EQ(judge("S1: r(x,0) r(x,1) S2: w(x,1)", Level::Rc), "holds");
}

TEST(Check, UnknownTransactionsCountOnlyWhenSomethingReadThem) {
  EXPECT_EQ(judge("S1: w(x,1)? | r(x,0) S2: r(x,1)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: w(x,1)? S2: r(x,0)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: r(y,7) w(x,1)? S2: r(x,0)", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: r(y,7) w(x,1)? S2: r(x,1)", Level::Cc), "g1a");
}

TEST(Check, EachWeakLevelForbidsItsAnomaly) {
  const std::string_view non_monotonic = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(x,1) r(y,1)";
  const std::string_view fractured = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(y,1) r(x,1)";
  const std::string_view causal = "S1: w(x,1) S2: r(x,1) w(x,2) S3: r(x,2) w(y,1) S4: r(y,1) r(x,1)";
  EXPECT_EQ(judge(non_monotonic, Level::Rc), "non-monotonic-read");
  EXPECT_EQ(judge(fractured, Level::Rc), "holds");
  EXPECT_EQ(judge(fractured, Level::Ra), "read-skew");
  EXPECT_EQ(judge(causal, Level::Ra), "holds");
  EXPECT_EQ(judge(causal, Level::Cc), "causality");
  EXPECT_EQ(judge("S1: w(x,1) r(y,1) S2: w(y,1) r(x,1)", Level::Rc), "g1c");
  EXPECT_EQ(judge("S1: r(x,0) w(x,1) | r(x,0)", Level::Ra), "read-your-writes-violation");
  EXPECT_EQ(judge("S1: w(x,1) S2: r(x,1) w(y,1) S3: r(y,1) r(x,0)", Level::Cc), "stale-initial-read");
}

TEST(Check, LevelsWithoutSessionOrderForbidTheirAnomalies) {
  const std::string_view non_monotonic = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(x,1) r(y,1)";
  const std::string_view fractured = "S1: w(y,1) S2: r(y,1) w(x,1) w(y,2) S3: r(y,1) r(x,1)";
  const std::string_view own_write_missed = "S1: r(x,0) w(x,1) | r(x,0)";
  EXPECT_EQ(judge(non_monotonic, Level::Pl2), "holds");
  EXPECT_EQ(judge(non_monotonic, Level::Mav), "non-monotonic-read");
  EXPECT_EQ(judge(fractured, Level::Mav), "holds");
  EXPECT_EQ(judge(fractured, Level::PlainRa), "read-skew");
  EXPECT_EQ(judge(own_write_missed, Level::PlainRa), "holds");
  EXPECT_EQ(judge("S1: r(x,1) | w(x,1)", Level::PlainRa), "holds");
  EXPECT_EQ(judge("S1: w(x,1) r(y,1) S2: w(y,1) r(x,1)", Level::Pl2), "g1c");
  EXPECT_EQ(judge("S1: w(x,1)! S2: r(x,1)", Level::Pl2), "g1a");
}

// Where reads need not repeat, each has a writer of its own. One level's writers are the other's.
TEST(Check, TheEvidenceOfALevelWhoseReadsNeedNotRepeatServesAWeakerOne) {
  const History h = hist("S1: w(x,1)  S2: w(x,1)  S3: w(x,2)  S4: w(x,2)  S5: r(x,1) r(x,2)");
  Checker checker(h);
  for (const Level level : {Level::Rc, Level::Mav, Level::Pl2}) {
    const auto verdict = checker.judge(level);
    ASSERT_TRUE(verdict && std::holds_alternative<Holds>(*verdict)) << id(level);
    const auto certified = certify(h, level, std::get<Holds>(*verdict));
    EXPECT_TRUE(certified) << id(level) << ": " << certified.error().describe();
  }
  EXPECT_TRUE(std::holds_alternative<Violated>(*checker.judge(Level::PlainRa)));
}

TEST(Check, RefusesWhatItDoesNotJudge) {
  EXPECT_EQ(judge("S1: append(l,1) S2: append(l,1) S3: r(l,[1 1])", Level::Cc),
            "l in transaction S3:1 shows an element that was appended twice");
  EXPECT_EQ(judge("S1: append(l,1) S2: append(l,1) append(l,2) S3: r(l,[])", Level::Cc), "holds");
  EXPECT_EQ(judge("S1: insert(x,1)", Level::Rc), "the history has rows or predicates");
  EXPECT_EQ(judge("S1: w(x,1)", Level::StrictSer), "transaction S1:1 does not say when it began");
  // The second ended before the first began, though it is after it in the session: at gsi that says nothing.
  const std::string_view backwards = "S1: <@10..12> w(x,1) | <@0..5> w(y,1)";
  for (const Level level : {Level::StrictSer, Level::StrongSi, Level::SessionSi})
    EXPECT_THAT(judge(backwards, level), testing::HasSubstr("the instants contradict the session order"))
        << id(level);
  EXPECT_EQ(judge(backwards, Level::Gsi), "holds");
}

TEST(Check, JudgesValuesThatSeveralTransactionsWrote) {
  for (const Level level : {Level::Rc, Level::Ra, Level::Cc, Level::Psi, Level::Si, Level::Ser})
    EXPECT_EQ(judge("S1: w(x,1) S2: w(x,1) S3: r(x,1)", level), "holds") << id(level);
  // Both write what the other wrote: a lost update all the same.
  for (const Level level : {Level::Psi, Level::Si, Level::Ser})
    EXPECT_EQ(judge("S1: r(x,0) w(x,1) S2: r(x,0) w(x,1)", level), "lost-update") << id(level);
  // The initial value can come back, but not to a session that wrote another.
  EXPECT_EQ(judge("S1: w(x,1) | r(x,0)", Level::Cc), "read-your-writes-violation");
  EXPECT_EQ(judge("S1: w(x,1) | r(x,0) S2: w(x,0)", Level::Ser), "holds");
  // An aborted write does no harm where a committed one explains the read.
  EXPECT_EQ(judge("S1: w(x,1)! S2: w(x,1) S3: r(x,1)", Level::Ser), "holds");
  EXPECT_EQ(judge("S1: w(x,1) w(y,1) S2: w(x,2) w(y,2) S3: w(x,1) w(y,3) S4: r(x,1) r(y,2)", Level::Ra),
            "read-skew");
}

TEST(Check, NamesListsThatAreWrongByThemselves) {
  EXPECT_EQ(judge("S1: append(l,1) S2: r(l,[1 1])", Level::Rc), "duplicate-elements");
  EXPECT_EQ(judge("S1: append(l,1) r(l,[1 1])", Level::Rc), "duplicate-elements");
  EXPECT_EQ(judge("S1: append(l,1) S2: r(l,[9 1])", Level::Rc), "thin-air");
  EXPECT_EQ(judge("S1: append(l,1)! S2: append(l,2) S3: r(l,[1 2])", Level::Rc), "g1a");
  EXPECT_EQ(judge("S1: r(l,[1]) append(l,1)", Level::Rc), "future-read");
  EXPECT_EQ(judge("S1: append(l,1) r(l,[])", Level::Rc), "not-own-write");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) r(l,[1])", Level::Rc), "not-own-last-write");
  EXPECT_EQ(judge("S1: append(l,1) S2: append(l,2) r(l,[2 1])", Level::Rc), "g1c");
  EXPECT_EQ(judge("S1: r(l,[]) append(l,2) r(l,[1 2]) S2: append(l,1)", Level::Ra), "non-repeatable-read");
  EXPECT_EQ(judge("S1: r(l,[]) append(l,2) r(l,[1 2]) S2: append(l,1)", Level::Rc), "holds");
}

TEST(Check, NamesWhatHappenedToTheAppendsOfOneTransaction) {
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) S2: r(l,[1])", Level::Rc), "g1b");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) S2: append(l,3) S3: r(l,[1 3])", Level::Rc), "g1b");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) S2: append(l,3) S3: r(l,[1 3 2])", Level::Rc), "g0");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) append(l,3) S2: r(l,[1 3 2])", Level::Rc),
            "incompatible-order");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) S2: r(l,[2 1])", Level::Rc), "incompatible-order");
  EXPECT_EQ(judge("S1: append(l,1) append(l,2) S2: r(l,[2])", Level::Rc), "g1b");
}

TEST(Check, UnknownAppendsCountWhenAnyListShowsThem) {
  EXPECT_EQ(judge("S1: append(l,1)? | r(l,[]) S2: append(l,2) S3: r(l,[1 2])", Level::Ser), "holds");
  EXPECT_EQ(judge("S1: append(l,1)? S2: append(l,2) | r(l,[2])", Level::Ser), "holds");
  EXPECT_EQ(judge("S1: append(l,1) r(x,7)? S2: append(l,2) S3: r(l,[1 2])", Level::Ser), "g1a");
  EXPECT_EQ(judge("S1: append(l,1) r(x,7)? S2: append(l,2) S3: r(l,[2])", Level::Ser), "holds");
}

TEST(Check, ShowsTheWayAlongAListInOneLine) {
  const History history = hist(
      "S1: append(l,5) | append(l,1) S2: append(l,2) S3: append(l,3) S4: append(l,4) S5: r(l,[1 2 3 4 5])");
  for (const Level level : {Level::Rc, Level::Si, Level::Ser}) {
    Checker checker(history);
    const auto verdict = judge_and_name(checker, level);
    const Proof& proof = std::get<Violated>(*verdict).proof;
    EXPECT_LE(std::ranges::count(proof, Rule::Observed, &ProofLine::kind), 2) << id(level);
    EXPECT_EQ(name(std::get<Violated>(*verdict).anomaly.value()), "g0") << id(level);
  }
}

TEST(Check, EachStrongLevelForbidsItsAnomaly) {
  EXPECT_EQ(judge("S1: r(x,0) w(x,1) S2: r(x,0) w(x,2)", Level::Psi), "lost-update");
  EXPECT_EQ(judge("S1: r(x,0) w(x,1) S2: r(x,0) w(x,2)", Level::Pc), "holds");
  const std::string_view long_fork = "S1: w(x,1) S2: w(y,1) S3: r(x,1) r(y,0) S4: r(x,0) r(y,1)";
  EXPECT_EQ(judge(long_fork, Level::Psi), "holds");
  EXPECT_EQ(judge(long_fork, Level::Pc), "long-fork");
  EXPECT_EQ(judge(long_fork, Level::Si), "long-fork");
  const std::string_view write_skew = "S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)";
  EXPECT_EQ(judge(write_skew, Level::Si), "holds");
  EXPECT_EQ(judge(write_skew, Level::Ser), "write-skew");
  EXPECT_EQ(judge("S1: r(y,0) w(y,20) S2: r(x,0) r(y,0) w(x,-11) S3: r(x,0) r(y,20)", Level::Ser),
            "read-only");
  EXPECT_EQ(judge("S1: r(x,0) w(x,1) | r(x,0)", Level::PlainSer), "holds");
}

TEST(Check, ASessionOfAHundredThousandTransactionsDoesNotRecurse) {
  HistoryBuilder builder;
  const SessionId session = builder.session("s");
  for (std::int64_t i = 0; i < 100000; ++i) {
    builder.read(builder.key("x"), Scalar::integer(i));
    builder.write(builder.key("x"), Scalar::integer(i + 1));
    ASSERT_TRUE(builder.finish({.session = session}));
  }
  builder.set_initial(Scalar::integer(0));
  const History history = std::move(builder).build().value();
  for (const Level level : {Level::Cc, Level::Psi, Level::Si, Level::Ser}) {
    const auto verdict = Checker(history, {.greedy = false}).judge(level);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(std::holds_alternative<Holds>(*verdict));
  }
}

TEST(Check, AReachedLimitIsUndecidedAndSaysHowFarItCame) {
  const History history = hist("S1: r(x,0) w(y,1) S2: r(y,0) w(x,1)");
  Budget budget({.ask = [](std::size_t) { return std::optional<std::string>("enough"); }});
  const auto verdict = Checker(history, {.budget = &budget}).judge(Level::Ser);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(std::get<Undecided>(*verdict).why, "enough; no read had been checked yet");
}

// A proof can be as long as the search was, and takes as much memory.
TEST(Check, ALimitHoldsWhileAProofIsWritten) {
  const History history = hist("S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)");
  std::string_view stage;
  Budget budget({.ask =
                     [&](std::size_t) {
                       return stage == "writing the proof" ? std::optional<std::string>("enough")
                                                           : std::nullopt;
                     },
                 .show = [&](const Progress& progress) { stage = progress.stage; }});
  const auto verdict =
      Checker(history, {.greedy = false, .saturation = false, .budget = &budget}).judge(Level::Ser);
  ASSERT_TRUE(verdict);
  ASSERT_TRUE(std::holds_alternative<Undecided>(*verdict));
  EXPECT_EQ(std::get<Undecided>(*verdict).why,
            "enough; a contradiction was found, and its proof was being written");
}

// That the level without real time is violated too would be a nicer explanation; it is not worth judging that
// level.
TEST(Check, AStaleReadIsFoundByTheClocksAlone) {
  std::string text = "W: <@0..10> w(x,1)  R: <@20..30> r(x,0)\n";
  for (int i = 0; i < 2000; ++i)
    text += fmt::format("S{}: <@{}..{}> r(a,{}) w(a,{})\n", i, 100 * i, 100 * i + 150, i == 0 ? 0 : i - 1, i);
  const History history = test::hist(text);
  Checker checker(history, {.greedy = false});
  const auto verdict = checker.judge(Level::StrictSer);
  ASSERT_TRUE(verdict);
  ASSERT_TRUE(std::holds_alternative<Violated>(*verdict));
  EXPECT_EQ(checker.effort().decided_by, "a read that is too old for the clocks");
  EXPECT_TRUE(test::certify(history, Level::StrictSer, *verdict));
}

// So many sessions that their clocks are made for some of them at a time.
TEST(Check, CausalViolationsAreFoundWhereverTheirSessionsAre) {
  constexpr int kSessions = 6000;
  for (const int place : {0, kSessions / 2, kSessions}) {
    for (const bool is_causal : {true, false}) {
      std::string text;
      for (int i = 0; i <= kSessions; ++i) {
        const std::string s = std::to_string(i);
        if (i == place)
          text += "A: w(x,1)\nB: r(x,1) w(x,2)\nC: r(x,2) w(y,1)\nD: r(y,1) r(x," +
                  std::string(is_causal ? "2" : "1") + ")\n";
        text += "S" + s + ": w(k" + s + ",1)\n";
      }
      const History history = test::hist(text);
      EXPECT_EQ(std::holds_alternative<Holds>(Checker(history).judge(Level::Cc).value()), is_causal) << place;
    }
  }
}

// 300 writers of a key are 44,850 choices.
TEST(Checker, StopsWhileItMakesAllChoicesWhenTheBudgetIsSpent) {
  std::string text;
  for (int i = 1; i <= 300; ++i) text += fmt::format("S{}: w(x,{})  ", i, i);
  const History history = test::hist(text);
  std::size_t stopped_within = 0;
  for (std::size_t most = 100; most <= 2000; most += 100) {
    std::size_t polls = 0;
    Budget budget({.ask = [&](std::size_t) {
      return ++polls > most ? std::optional<std::string>("enough") : std::nullopt;
    }});
    Checker checker(history,
                    {.greedy = false, .lazy_choices = false, .saturation = false, .budget = &budget});
    const Verdict verdict = checker.judge(Level::Ser).value();
    const std::size_t choices = checker.effort().choices;
    if (std::holds_alternative<Undecided>(verdict) && choices > 0 && choices < 44'850) ++stopped_within;
  }
  EXPECT_GT(stopped_within, 0u);
}

}  // namespace
}  // namespace assay

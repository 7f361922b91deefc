#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/compare.h"
#include "history/describe.h"
#include "history_io/format.h"
#include "support/hist.h"
#include "support/round_trip.h"

namespace assay {
namespace {

using test::hist;
using test::read_text;
using test::round_trip;

std::string problem(std::string_view text) {
  const auto result = read_text(text, "hist");
  return result ? "accepted" : result.error().describe();
}

TEST(Hist, ReadsSessionsTransactionsAndOutcomes) {
  const History h = hist("S1: r(x,0) w(x,1) | r(x,1)!  S2: r(x,0) w(x,2)?\n3: r(y,0)");
  ASSERT_EQ(h.session_count(), 3u);
  ASSERT_EQ(h.transaction_count(), 4u);
  EXPECT_EQ(h.transactions(SessionId(0)).size(), 2u);
  EXPECT_EQ(h.outcome(TxnId(0)), Outcome::Committed);
  EXPECT_EQ(h.outcome(TxnId(1)), Outcome::Aborted);
  EXPECT_EQ(h.outcome(TxnId(2)), Outcome::Unknown);
  EXPECT_EQ(h.display(TxnId(1)), "S1:2");
  EXPECT_TRUE(h.name(SessionId(2)).is_integer());
  EXPECT_EQ(describe(h, h.operations(TxnId(2))[1]), "w(x,2)");
  EXPECT_EQ(h.value(h.initial_value(h.key(OpId(0)))), Scalar::integer(0));
}

TEST(Hist, ASessionMayGoOnLater) {
  const History h = hist("a: w(x,1)\nb: r(x,1)\na: w(x,2)");
  EXPECT_EQ(h.session_count(), 2u);
  EXPECT_EQ(h.transactions(SessionId(0)).size(), 2u);
}

TEST(Hist, SaysEverythingThatTheNativeFormatCanSay) {
  const History h = hist(R"(
    @note "two \"words\""
    @initial null
    @initial (x=5 "odd key"={a:1,b:null})
    S1: <17 @1000,1010..1200,1250> r(x,5) insert(z,{colour:red,size:1.50}) delete(z) delete(z,true) | ()
      | <"a b" @..9> append(l,1) r(l,[1 2]) r(m,[])
    "S 2": <@3..> scan(a,q,[b=1 c=two]) select(value < 7 and not (key = 3 or key in [4 "5"]),[x=5])
      | update(a between 1 and 2 and b like "x%" and c is null,[x={a:1}])
      | update-maybe(not not v != true,[x=6 y=7],1)?
  )");
  EXPECT_EQ(h.operation_count(), 11u);
  for (const std::string_view format : {"hist", "jsonl"}) {
    const auto again = round_trip(h, format);
    ASSERT_TRUE(again.has_value()) << again.error().describe();
    EXPECT_EQ(first_difference(h, *again), std::nullopt) << format;
  }
}

TEST(Hist, InfixPredicatesBindOrWeakerThanAndWeakerThanNot) {
  const History h = hist("S: select(a = 1 or b = 2 and not c = 3,[])");
  const Predicate p = h.predicate(OpId(0));
  ASSERT_EQ(p.size(), 9u);
  EXPECT_EQ(p[0].op, PredicateOp::Or);
  EXPECT_EQ(p[3].op, PredicateOp::And);
  EXPECT_EQ(p[6].op, PredicateOp::Not);
}

TEST(Hist, NumbersStayExact) {
  const History h =
      hist("S: w(x,18446744073709551615) w(x,18446744073709551614) w(x,0.10) w(x,1.0) r(x,1) r(x,0.1)");
  const auto value = [&](int i) { return h.value(OpId(i)); };
  EXPECT_NE(value(0), value(1));
  EXPECT_EQ(value(2), value(5));
  EXPECT_EQ(value(3), value(4));
}

// What is wrong is noticed at the next thing that stands in the file, lines below.
TEST(Hist, NamesTheLineOnWhichSomethingIsWrong) {
  EXPECT_EQ(problem("S1: w(x,null)\n\n# later\nS2: r(x,0)"),
            "test:1: null is written to key x (null means no version: use a delete, or another value)");
  EXPECT_EQ(problem("S1: r(x,0)\n<@9..3> r(x,0)\n\nS2: r(x,0)"),
            "test:2: the name of a transaction after its operations (<...> comes first)");
  EXPECT_EQ(problem("S1: <@9..3> r(x,0)\n\n@note \"n\""),
            "test:1: the instants of a transaction go backwards (begin <= began <= committing <= end)");
  EXPECT_EQ(problem("S1: r(x,0\nS2: r(x,0)"),
            "test:1: expected ')' at the end of an operation, but the line ends");
  EXPECT_EQ(problem("S1: r(x,\n\n%)"), "test:1: expected a value, but the line ends");
  EXPECT_EQ(problem("S1: r(x,0)\n%\nS2: r(x,0)"),
            "test:2: expected a session such as S1:, or an operation such as r(x,1), but found '%'");
  EXPECT_EQ(problem("S1: r(x,0)\n!\n\n?"),
            "test:4: expected a transaction before its outcome, but found '?'");
  EXPECT_EQ(problem("S1: r(x,0)\n| |\nS2: r(x,0)"),
            "test:2: a transaction without operations (an empty transaction is ())");
}

TEST(Hist, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(problem("S1: r(x,0)\nS2: r(x,"), "test:2: expected a value, but the file ends");
  EXPECT_EQ(problem("S1: r(x 0)"), "test:1: expected ',' after a key, but found '0'");
  EXPECT_EQ(problem("S1: q(x,0)"),
            "test:1: unknown operation q (r, w, append, one-of, insert, delete, scan, select, update or "
            "update-maybe)");
  EXPECT_EQ(problem("r(x,0)"), "test:1: an operation before the first session (begin with S1:)");
  EXPECT_EQ(problem("S1: r(x,0) | | r(x,0)"),
            "test:1: a transaction without operations (an empty transaction is ())");
  EXPECT_EQ(problem("S1: r(x,0) |"), "test:1: a transaction without operations (an empty transaction is ())");
  EXPECT_EQ(problem("S1: r(x,0)! r(x,1)"),
            "test:1: an operation after the outcome of its transaction (separate transactions by |)");
  EXPECT_EQ(problem("S1: <a> r(x,0) | <a> r(x,0)"),
            "test:1: transaction id a is used twice (ids must be unique in the history)");
  // A transaction without a name is called SESSION:NUMBER, and a text may look like a number.
  for (const char* text : {"\"1\": w(x,1)\n1: r(x,1)", "S1: w(x,1)\nS2: <\"S1:2\"> r(x,1)\nS1: r(x,1)"})
    EXPECT_THAT(problem(text), testing::HasSubstr("two transactions are called ")) << text;
  EXPECT_THAT(problem("S1: <7> w(x,1)\nS2: <\"7\"> r(x,1)"),
              testing::HasSubstr("two transactions are called 7"));
  for (const char* text : {"\"1\": <a> w(x,1)\n1: r(x,1)", "S1: w(x,1)\nS2: <\"S1:2\"> r(x,1)",
                           "S1: w(x,1)\nS2: <\"S1:02\"> r(x,1)\nS1: r(x,1)"})
    EXPECT_EQ(problem(text), "accepted") << text;
  EXPECT_EQ(problem("S1: append(x,1) w(x,2)"),
            "test:1: key x is used both as a list and as a register (rename one of them)");
  EXPECT_EQ(problem("S1: r(x,\"a"), "test:1: expected the closing \" of a string, but the file ends");
  EXPECT_EQ(problem("S1: <@9..3> r(x,0)"),
            "test:1: the instants of a transaction go backwards (begin <= began <= committing <= end)");
  EXPECT_EQ(problem("S1: r(x,\xff)"), "test:1: not valid UTF-8");
  EXPECT_EQ(problem("@initial 0\n@initial none\nS1: r(x,0)"),
            "test:2: a second @initial for all keys (those of single keys are @initial (x=5 y=null))");
  EXPECT_EQ(problem("@initial none\n@initial (x=0)\nS1: r(x,0)"), "accepted");
  EXPECT_EQ(problem("S1: one-of(x,[])"), "test:1: one-of without a value (name what it can have returned)");
  EXPECT_EQ(problem("# nothing\n"),
            "test:1: no session in the file (a session is S1: r(x,0) w(x,1) | r(x,1))");
  EXPECT_EQ(problem("S1: select(" + std::string(1000, '(') + "a=1"),
            "test:1: a predicate that is nested too deeply");
  std::string nots;
  for (int i = 0; i < 1000; ++i) nots += "not ";
  EXPECT_EQ(problem("S1: select(" + nots + "a=1,[])"), "test:1: a predicate that is nested too deeply");
}

TEST(Hist, AMillionSessionsDoNotNeedAStack) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + ":r(x,0)";
  const History h = hist(text);
  EXPECT_EQ(h.session_count(), 200'000u);
}

}  // namespace
}  // namespace assay

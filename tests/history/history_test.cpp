#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/builder.h"
#include "history/compare.h"
#include "history/conflicts.h"
#include "history/describe.h"
#include "history/edit.h"
#include "history/statistics.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;

TEST(HistoryBuilder, NumbersValuesPerKeySoThatAReadFindsItsWriter) {
  const History h = hist("S1: w(x,1) w(y,1)  S2: r(x,1) r(y,1) r(x,2)");
  EXPECT_EQ(h.value(OpId(0)), h.value(OpId(2)));
  EXPECT_EQ(h.value(OpId(1)), h.value(OpId(3)));
  EXPECT_NE(h.value(OpId(0)), h.value(OpId(1)));
  EXPECT_NE(h.value(OpId(4)), h.value(OpId(0)));
}

TEST(HistoryBuilder, NumbersTheValuesOfAKeyConsecutively) {
  const History h = hist("S1: w(x,1) w(y,1) w(x,2) | w(y,2) r(x,9) w(x,3)  S2: r(y,2) r(x,1)");
  std::vector<std::string> values;
  for (std::size_t i = 0; i < h.key_value_count(); ++i)
    values.push_back(h.display(h.key(KeyValueId(i))) + h.display(h.value(KeyValueId(i))));
  EXPECT_EQ(values, (std::vector<std::string>{"x1", "x2", "x9", "x3", "x0", "y1", "y2", "y0"}));
}

TEST(HistoryBuilder, GivesRowsOperationsAndInitialValuesTheSameNumbers) {
  HistoryBuilder b;
  const KeyId list = b.key("list"), x = b.key("x"), y = b.key("y");
  b.list_read(list, std::vector{Scalar::integer(1), Scalar::integer(2)});
  b.append(list, Scalar::integer(2));
  b.scan({b.pool().string("x"), b.pool().string("y")},
         std::vector<KeyAndValue>{{y, Scalar::integer(5)}, {x, Scalar::integer(6)}});
  b.read(x, Scalar::integer(6));
  b.read(y, Scalar::integer(7));
  b.remove(y);
  ASSERT_TRUE(b.finish({.session = b.session("a")}).has_value());
  b.set_initial(Scalar::integer(5));
  b.set_initial(y, Scalar::integer(7));
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.rows(OpId(0))[1], h.value(OpId(1)));
  EXPECT_EQ(h.value(h.rows(OpId(0))[0]), Scalar::integer(1));
  EXPECT_EQ(h.rows(OpId(2))[1], h.value(OpId(3)));
  EXPECT_EQ(h.initial_value(y), h.value(OpId(4)));
  EXPECT_EQ(h.value(h.initial_value(x)), Scalar::integer(5));
  EXPECT_EQ(h.value(h.rows(OpId(2))[0]), Scalar::integer(5));
  EXPECT_NE(h.initial_value(x), h.rows(OpId(2))[0]);
  EXPECT_TRUE(h.initial_value(list).is_none());
  EXPECT_TRUE(h.value(h.value(OpId(5))).is_null());
}

TEST(HistoryBuilder, KeepsTransactionsInInputOrderAndPositionsInSessionOrder) {
  HistoryBuilder b;
  const SessionId s = b.session("a"), t = b.session("b");
  for (const SessionId session : {s, t, s}) ASSERT_TRUE(b.finish({.session = session}).has_value());
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.session(TxnId(1)), t);
  EXPECT_EQ(h.position(TxnId(2)), 1u);
  EXPECT_EQ(h.transactions(s)[1], TxnId(2));
}

TEST(HistoryBuilder, NamesAppearingLateLeaveTheEarlierTransactionsUnnamed) {
  HistoryBuilder b;
  const SessionId s = b.session("a");
  ASSERT_TRUE(b.finish({.session = s}).has_value());
  ASSERT_TRUE(b.finish({.session = s, .name = Scalar::integer(7)}).has_value());
  ASSERT_TRUE(b.finish({.session = s}).has_value());
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.display(TxnId(0)), "a:1");
  EXPECT_EQ(h.display(TxnId(1)), "7");
  EXPECT_EQ(h.display(TxnId(2)), "a:3");
}

TEST(HistoryBuilder, NoticesNamesThatAreUsedTwice) {
  HistoryBuilder b;
  const SessionId s = b.session("a");
  const std::vector<Scalar> names{Scalar::integer(1), b.pool().string("1"), Scalar::integer(-1),
                                  Scalar::integer(INT64_MAX), b.pool().string("b")};
  ASSERT_TRUE(b.finish({.session = s}).has_value());
  for (const Scalar name : names) ASSERT_TRUE(b.finish({.session = s, .name = name}).has_value());
  for (const Scalar name : names) {
    const auto again = b.finish({.session = s, .name = name});
    ASSERT_FALSE(again.has_value());
    EXPECT_NE(again.error().what.find("used twice"), std::string::npos);
  }
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.transaction_count(), 6u);
}

TEST(HistoryBuilder, AbandonForgetsTheOperationsOfTheTransaction) {
  HistoryBuilder b;
  const SessionId s = b.session("a");
  b.write(b.key("x"), Scalar::integer(1));
  b.remove(b.key("x"), true);
  b.append(b.key("x"), Scalar::integer(1));  // a problem that goes away with it
  b.abandon();
  b.write(b.key("x"), Scalar::integer(2));
  ASSERT_TRUE(b.finish({.session = s}).has_value());
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.operation_count(), 1u);
  EXPECT_EQ(describe(h, OpId(0)), "w(x,2)");
}

TEST(HistoryBuilder, ReportsTheFirstProblemOfTheTransaction) {
  const auto problem = [](auto fill) {
    HistoryBuilder b;
    const SessionId s = b.session("a");
    fill(b);
    const auto done = b.finish({.session = s});
    return done ? std::string("fine") : done.error().what;
  };
  EXPECT_EQ(problem([](HistoryBuilder& b) { b.write(b.key("x"), Scalar::null()); }),
            "null is written to key x");
  EXPECT_EQ(problem([](HistoryBuilder& b) {
              const KeyAndValue row{b.key("x"), Scalar::integer(1)};
              b.scan({Scalar::integer(1), Scalar::integer(2)}, {&row, 1});
            }),
            "a scan over mixed key types");
  EXPECT_EQ(problem([](HistoryBuilder& b) {
              const PredicateNode everything[] = {{PredicateOp::IsNull, 0, b.pool().string("v")}};
              b.update_maybe(everything, {}, 1);
            }),
            "update-maybe says it changed 1 rows but lists 0");
}

TEST(HistoryBuilder, ReadsOfNothingBecomeTheInitialState) {
  HistoryBuilder b;
  const SessionId s = b.session("a");
  const KeyId x = b.key("x"), y = b.key("y");
  b.read(x, Scalar::integer(70));
  b.read(x, Scalar::integer(71));
  b.write(x, Scalar::integer(1));
  b.read(y, Scalar::integer(1));
  b.write(y, Scalar::integer(1));
  ASSERT_TRUE(b.finish({.session = s}).has_value());
  b.reads_of_nothing_are_initial();
  const History h = std::move(b).build().value();
  EXPECT_EQ(h.value(OpId(0)), h.initial_value(x));
  EXPECT_EQ(h.value(OpId(1)), h.initial_value(x));
  EXPECT_NE(h.value(OpId(3)), h.initial_value(y));
}

TEST(HistoryBuilder, InitialValuesHaveADefaultAndExceptions) {
  const History h = hist("@initial 5\n@initial (y=6)\nS: r(x,5) r(y,6) r(l,[])");
  EXPECT_EQ(h.value(OpId(0)), h.initial_value(h.key(OpId(0))));
  EXPECT_EQ(h.value(OpId(1)), h.initial_value(h.key(OpId(1))));
  EXPECT_TRUE(h.initial_value(h.key(OpId(2))).is_none());
  EXPECT_TRUE(hist("@initial none\nS: r(x,5)").initial_value(KeyId(0)).is_none());
}

TEST(Compare, FindsEachKindOfDifference) {
  const History h = hist("S1: <1 @1..2> r(x,0) w(x,1)  S2: r(y,0)!");
  const auto differs = [&](std::string_view text, Comparison what = {}) {
    return first_difference(h, hist(text), what);
  };
  EXPECT_EQ(differs("S1: <1 @1..2> r(x,0) w(x,1)  S2: r(y,0)!"), std::nullopt);
  EXPECT_NE(differs("S1: <1 @1..2> r(x,0) w(x,2)  S2: r(y,0)!"), std::nullopt);
  EXPECT_NE(differs("S1: <1 @1..2> r(x,0) w(x,1)  S2: r(y,0)"), std::nullopt);
  EXPECT_NE(differs("S1: <1 @1..3> r(x,0) w(x,1)  S2: r(y,0)!"), std::nullopt);
  EXPECT_EQ(differs("S1: <1 @1..3> r(x,0) w(x,1)  S2: r(y,0)!", {.instants = false}), std::nullopt);
  EXPECT_NE(differs("S1: <2 @1..2> r(x,0) w(x,1)  S2: r(y,0)!"), std::nullopt);
  EXPECT_EQ(differs("S9: <2 @1..2> r(x,0) w(x,1)  S2: r(y,0)!", {.names = false}), std::nullopt);
  EXPECT_NE(differs("@initial null S1: <1 @1..2> r(x,0) w(x,1)  S2: r(y,0)!"), std::nullopt);
  EXPECT_NE(differs("@note \"n\" S1: <1 @1..2> r(x,0) w(x,1)  S2: r(y,0)!"), std::nullopt);
  EXPECT_NE(differs("S1: <1 @1..2> r(x,0) w(x,1)"), std::nullopt);
}

TEST(Restrict, KeepsNamesOutcomesInstantsAndInitialValues) {
  const History h = hist(
      "@initial 3\n@initial (y=4)\nS1: <a @1..2> r(x,3) w(x,1) | w(y,9)!  S2: <b> r(y,4) delete(z,true)?");
  const History all = restrict(
      h, [](TxnId) { return true; }, [](OpId) { return true; });
  EXPECT_EQ(first_difference(h, all), std::nullopt);
  const History part = restrict(
      h, [](TxnId t) { return t != TxnId(1); }, [](OpId op) { return op != OpId(0); });
  EXPECT_EQ(
      first_difference(
          part, hist("@initial 3\n@initial (y=4)\nS1: <a @1..2> w(x,1)  S2: <b> r(y,4) delete(z,true)?")),
      std::nullopt);
}

TEST(Restrict, TakesElementsOutOfListsWhoseAppendsAreNotChosen) {
  const History h = hist("S1: append(l,1) | append(l,2) w(x,1)  S2: r(l,[1 2 9]) r(x,1)");
  const History part = restrict(h, Selection{{TxnId(1), TxnId(2)}, {OpId(1), OpId(3)}});
  EXPECT_EQ(first_difference(part, hist("S1: append(l,2)  S2: r(l,[2 9])")), std::nullopt);
}

TEST(Restrict, LeavesOutInitialValuesOfKeysThatAreNotChosen) {
  const History h = hist("@initial (x=4 y=5) S1: r(x,4) r(y,5)");
  EXPECT_EQ(restrict(h, Selection{{TxnId(0)}, {OpId(1)}}).key_count(), 1u);
}

TEST(WithNames, NamesThoseThatHaveNoneUnlessTheNameIsTaken) {
  // Such names come about where a part of a history is left, with its transactions numbered anew.
  const History whole = hist("S1: <a> w(y,1) | w(x,1) | <\"S1:1\"> w(x,2) | w(x,3)");
  const History h = restrict(
      whole, [](TxnId t) { return t != TxnId(0); }, [](OpId) { return true; });
  const History named = with_names(h, [&](TxnId t) { return h.display(t); });
  EXPECT_FALSE(named.name(TxnId(0)).has_value());
  EXPECT_EQ(named.display(TxnId(1)), "S1:1");
  EXPECT_TRUE(named.name(TxnId(2)).has_value());
  EXPECT_EQ(named.display(TxnId(2)), "S1:3");
}

TEST(WithInitial, RenamesTheInitialVersionWhereItCannotBeMistaken) {
  const auto renamed =
      with_initial(hist("S1: <a @1..2> r(x,0) w(x,1) | r(y,0)! S2: r(l,[1]) append(l,1)?"), Scalar::null());
  ASSERT_TRUE(renamed.has_value());
  EXPECT_EQ(first_difference(
                *renamed,
                hist("@initial null S1: <a @1..2> r(x,null) w(x,1) | r(y,null)! S2: r(l,[1]) append(l,1)?")),
            std::nullopt);
  EXPECT_FALSE(with_initial(hist("S1: r(x,0) S2: w(x,0)"), Scalar::null()).has_value());
  EXPECT_FALSE(with_initial(hist("S1: r(x,0) r(x,5)"), Scalar::integer(5)).has_value());
  EXPECT_FALSE(with_initial(hist("S1: r(x,0) insert(y,1)"), Scalar::null()).has_value());
}

// A long transaction overlaps with many that never overlap with each other.
TEST(Statistics, AverageConcurrencyIsOverTimeAndNeverAboveTheMost) {
  const auto measured = [](std::string_view text) { return statistics(hist(text)); };
  const Statistics beside =
      measured("S1: <@0..100> w(x,1)  S2: <@0..10> w(y,1) | <@20..30> w(y,2) | <@40..50> w(y,3)");
  EXPECT_EQ(beside.most_concurrent, 2u);
  EXPECT_DOUBLE_EQ(beside.mean_concurrent, 1.3);
  const Statistics apart = measured("S1: <@0..10> w(x,1) | <@90..100> w(x,2)");
  EXPECT_DOUBLE_EQ(apart.mean_concurrent, 1);
  const Statistics at_once = measured("S1: <@5..5> w(x,1)  S2: <@5..5> w(y,1)");
  EXPECT_DOUBLE_EQ(at_once.mean_concurrent, 2);
}

TEST(Statistics, CountsWhatPeopleAskFor) {
  const Statistics s = statistics(hist(R"(
    S1: <@0..10> r(x,0) w(x,1) | <@20..30> w(x,1)
    S2: <@5..25> r(x,1) | <@40..50> w(y,0)!
    S3: w(z,0)?)"));
  EXPECT_EQ(s.sessions, 3u);
  EXPECT_EQ(s.transactions, 5u);
  EXPECT_EQ(s.committed, 3u);
  EXPECT_EQ(s.aborted, 1u);
  EXPECT_EQ(s.unknown, 1u);
  EXPECT_EQ(s.read_only, 1u);
  EXPECT_EQ(s.write_only, 3u);
  EXPECT_EQ(s.duplicate_values, 2u);  // x=1 twice, and z=0 is the initial value again
  EXPECT_EQ(s.keys_with_duplicates, 2u);
  EXPECT_EQ(s.reads_with_several_writers, 1u);
  EXPECT_EQ(s.timed, 4u);
  EXPECT_EQ(s.most_concurrent, 2u);
  EXPECT_DOUBLE_EQ(s.mean_concurrent, 1.25);
  EXPECT_EQ(*s.last_instant - *s.first_instant, 50);
}

TEST(History, AMillionTransactionsOfTwentyOperationsStayUnderTwoGigabytes) {
  // A hundredth of it, measured: what grows with the history grows linearly.
  HistoryBuilder b;
  std::int64_t next = 1;
  for (int t = 0; t < 10'000; ++t) {
    for (int i = 0; i < 20; ++i) {
      const KeyId key = b.key(Scalar::integer((t * 31 + i * 977) % 5000));
      if (i % 2) b.write(key, Scalar::integer(next++));
      else b.read(key, Scalar::integer(next - 1));
    }
    ASSERT_TRUE(b.finish({.session = b.session(Scalar::integer(t % 20)),
                          .name = Scalar::integer(t),
                          .instants = {.begin = t, .end = t + 1}})
                    .has_value());
  }
  const History h = std::move(b).build().value();
  EXPECT_LT(h.memory_bytes() * 100, std::size_t{2} << 30);
}

TEST(UntestedIsolation, IsSaidOfHistoriesWhereNothingRanConcurrentlyOrConflicted) {
  using testing::ElementsAre;
  using testing::IsEmpty;
  const auto notes = [](std::string_view text, std::int64_t skew = 0) {
    return untested_isolation(hist(text), skew);
  };
  const std::string nothing = ", so this history says nothing about isolation";
  const std::string one_session = "all transactions are in one session, one after another" + nothing;
  const std::string serial = "no two transactions ran at the same time" + nothing;
  const std::string apart = "no transaction accessed a key that another one wrote" + nothing;
  EXPECT_THAT(notes("S1: w(x,1)  S2: r(x,1)"), IsEmpty());
  EXPECT_THAT(notes("S1: w(x,1)"), ElementsAre("there is only one transaction" + nothing));
  EXPECT_THAT(notes("S1: w(x,1) | r(x,1)"), ElementsAre(one_session));
  EXPECT_THAT(notes("S1: w(x,1)  S2: r(y,0) w(z,1)"), ElementsAre(apart));
  EXPECT_THAT(notes("S1: r(x,0)  S2: r(x,0)"), ElementsAre(apart));
  EXPECT_THAT(notes("S1: w(x,1)!  S2: r(x,0)?"),
              ElementsAre("no transaction is known to have committed" + nothing));
  EXPECT_THAT(notes("S1: <@1..2> w(x,1)  S2: <@3..4> r(x,1)"), ElementsAre(serial));
  EXPECT_THAT(notes("S1: <@1..2> w(x,1)  S2: <@3..4> r(x,1)", 1), IsEmpty()) << "the clocks may differ";
  EXPECT_THAT(notes("S1: <@1..3> w(x,1)  S2: <@3..4> r(x,1)"), IsEmpty());
  EXPECT_THAT(notes("S1: <@1..2> w(x,1)?  S2: <@3..4> r(x,1)"), IsEmpty()) << "it may commit later";
  EXPECT_THAT(notes("S1: <@1..9> w(x,1)  S2: <@2..3> r(x,1)  S1: <@10..11> r(x,1)"), IsEmpty());
  EXPECT_THAT(notes("S1: w(x,1)  S2: scan(a,b,[])"), IsEmpty()) << "it might have met x";
}

}  // namespace
}  // namespace assay

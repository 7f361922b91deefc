// What an execution changes in the supposition that it was found under (check/refine.h).
#include "check/refine.h"

#include <gtest/gtest.h>

#include "isolation/point_rules.h"
#include "support/hist.h"

namespace assay::test {
namespace {

// The transactions run one after another in this order; numbered from 1 as the history has them.
Holds serial(std::initializer_list<std::uint32_t> transactions) {
  Holds execution;
  for (const std::uint32_t t : transactions) execution.order.push_back({TxnId(t - 1), true});
  return execution;
}

// The first transaction before the second.
Holds execution_of(Level level) {
  Holds execution = serial({1, 2});
  if (has_two_points(level))
    execution.order = {{TxnId(0), false}, {TxnId(0), true}, {TxnId(1), false}, {TxnId(1), true}};
  return execution;
}

KeyId key(const History& history, const char* name) {
  for (const KeyId k : history.keys())
    if (history.display(k) == name) return k;
  return KeyId::none();
}

class Refine : public testing::Test {
 protected:
  void history(const char* text) {
    history_ = std::make_unique<History>(hist(text));
    facts_.emplace(statement_facts(*history_).value());
  }

  // A row, or a read, of the first operation of a transaction.
  Invisible row(std::uint32_t txn, const char* name) const {
    return {history_->operations(TxnId(txn - 1)).first, key(*history_, name)};
  }
  Truth outcome(std::uint32_t txn, const char* name, bool took) const {
    return {row(txn, name).op, row(txn, name).key, took};
  }

  Refinement refined(const Supposition& supposition, const Holds& execution, RefineLimits limits = {}) const {
    const auto subject = make_subject(*facts_, supposition, {});
    return refine(*facts_, **subject, Level::Ser, execution, limits).value();
  }

  std::unique_ptr<History> history_;
  std::optional<StatementFacts> facts_;
};

TEST_F(Refine, IsDoneWhereTheExecutionExplainsEveryStatement) {
  history("@initial 0 S1: update-maybe(value = 0,[x=1])  S2: scan(a,z,[x=0])");
  const auto done = refined({.deferred = {row(1, "x")}}, serial({2, 1}));
  ASSERT_TRUE(std::holds_alternative<Explained>(done));
  EXPECT_EQ(std::get<Explained>(done).outcomes, std::vector{outcome(1, "x", true)});
}

TEST_F(Refine, MakesTheReadsThatTheExecutionGetsWrong) {
  history("@initial null S1: insert(x,1)  S2: scan(a,z,[])");
  const auto more = refined({}, serial({1, 2}));
  ASSERT_TRUE(std::holds_alternative<MoreReads>(more));
  EXPECT_EQ(std::get<MoreReads>(more).reads, std::vector{row(2, "x")});
}

TEST_F(Refine, NamesFewOfTheReadsThatOneWriterSpoils) {
  history("@initial null S1: insert(x,1) insert(y,1)  S2: scan(a,z,[])");
  EXPECT_EQ(std::get<MoreReads>(refined({}, serial({1, 2}))).reads.size(), 1u);
  EXPECT_EQ(std::get<MoreReads>(refined({}, serial({1, 2}), {.per_writer = 4})).reads.size(), 2u);
}

TEST_F(Refine, MakesADeferredRowAConditionalWriteWhereWhatItBecameIsContradicted) {
  history("@initial 0 S1: update-maybe(value = 0,[x=1 y=1])  S2: r(x,0)");
  const auto more = refined({.deferred = {row(1, "x"), row(1, "y")}}, serial({1, 2}));
  ASSERT_TRUE(std::holds_alternative<MoreConditional>(more));
  EXPECT_EQ(std::get<MoreConditional>(more).rows, std::vector{row(1, "x")});
}

// Its transaction reads the row afterwards, so what it reads depends on the outcome.
TEST_F(Refine, AssumesARowThatCannotBeAConditionalWrite) {
  history("@initial 0 S1: update-maybe(value = 0,[x=1]) r(x,0)  S2: w(x,3)");
  const auto more = refined({.deferred = {row(1, "x")}}, serial({1, 2}));
  ASSERT_TRUE(std::holds_alternative<MustAssume>(more));
  EXPECT_EQ(std::get<MustAssume>(more).rows, std::vector{row(1, "x")});
}

TEST_F(Refine, TriesOtherOutcomesThanTheAssumedOnesWhereItMay) {
  history("@initial 0 S1: w(x,7)  S2: update-maybe(value = 7,[x=1])");
  const Supposition changed{.assumed = {outcome(2, "x", true)}};
  const auto other = refined(changed, serial({2, 1}), {.other_outcomes = true});
  ASSERT_TRUE(std::holds_alternative<OtherOutcomes>(other));
  EXPECT_EQ(std::get<OtherOutcomes>(other).assumed, std::vector{outcome(2, "x", false)});
  EXPECT_TRUE(std::holds_alternative<MoreReads>(refined(changed, serial({2, 1}))));
}

TEST_F(Refine, KeepsTheOutcomesThatTheCaseFixes) {
  history("@initial 0 S1: w(x,7)  S2: update-maybe(value = 7,[x=1])");
  const Supposition fixed{.assumed = {outcome(2, "x", true)}, .fixed = {outcome(2, "x", true)}};
  const auto more = refined(fixed, serial({2, 1}), {.other_outcomes = true});
  ASSERT_TRUE(std::holds_alternative<MoreReads>(more));
  EXPECT_EQ(std::get<MoreReads>(more).reads, std::vector{row(2, "x")});
}

TEST_F(Refine, GivesUpCertainOutcomesWhereACountContradictsThem) {
  history("@initial 0 S1: update-maybe(value = 0,[x=1 y=1],1)");
  const std::vector both{row(1, "x"), row(1, "y")};
  const Supposition one_certain{.deferred = both, .conditional = both, .certain = {outcome(1, "x", true)}};
  EXPECT_TRUE(std::holds_alternative<NotCertain>(refined(one_certain, serial({1}))));
}

// At a level without a total order nothing is replayed: what no version in view explains has to be made.
TEST_F(Refine, AsksWhatIsInViewWhereTheOrderIsNotTotal) {
  history("@initial null S1: insert(x,1) insert(y,1)  S2: r(x,1) scan(y,z,[])");
  const auto subject = make_subject(*facts_, {}, {});
  const auto more = refine(*facts_, **subject, Level::Ra, serial({1, 2}), {}).value();
  ASSERT_TRUE(std::holds_alternative<MoreReads>(more));
  EXPECT_EQ(std::get<MoreReads>(more).reads.front().key, key(*history_, "y"));
}

// The replay of a large table takes as long as much of the search. At cc and psi its clocks may not fit.
TEST_F(Refine, SaysNothingOfAReplayThatALimitEnded) {
  history("@initial null S1: insert(x,1)  S2: r(x,1) scan(a,z,[x=1])");
  const auto subject = make_subject(*facts_, {}, {});
  for (const Level level : {Level::Rc, Level::Ra, Level::Cc, Level::Psi, Level::Pc, Level::Si, Level::Ser}) {
    for (const bool is_spent : {false, true}) {
      Budget budget({.ask = [&](std::size_t) {
        return is_spent ? std::optional<std::string>("enough") : std::nullopt;
      }});
      const auto answer = refine(*facts_, **subject, level, execution_of(level), {}, budget);
      ASSERT_TRUE(answer) << answer.error().describe();
      EXPECT_EQ(std::holds_alternative<NotReplayed>(*answer), is_spent) << id(level);
    }
  }
}

}  // namespace
}  // namespace assay::test

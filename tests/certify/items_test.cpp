// Rows and predicates as items, and what is known of update-maybes: the tables of docs/certificates.md.
#include "certify/items.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/describe.h"
#include "support/hist.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Each operation as the native format has it, without blanks; "|" between transactions.
std::vector<std::string> items(const History& h, const Completion& lines = {}) {
  const auto made = items_of(h, lines);
  if (!made) return {made.error().what};
  std::vector<std::string> all;
  for (const TxnId t : made->history.transactions()) {
    if (t.index() > 0) all.push_back("|");
    for (const OpId op : made->history.operations(t)) all.push_back(describe(made->history, op));
    if (made->history.outcome(t) == Outcome::Aborted) all.push_back("!");
  }
  return all;
}

KeyId key(const History& h, std::string_view name) {
  for (const KeyId k : h.keys())
    if (h.display(k) == name) return k;
  return KeyId::none();
}

TEST(Items, AreWhatTheTableSays) {
  EXPECT_THAT(
      items(hist("@initial null S1: insert(x,1) S2: delete(x) S3: delete(x,true) S4: delete(x,false)")),
      ElementsAre("one-of(x,[null])", "w(x,1)", "|", "delete(x)", "|", "one-of(x,[1])", "delete(x)", "|",
                  "one-of(x,[null])"));
  EXPECT_THAT(items(hist("S1: w(x,1) w(y,2) S2: select(value > 0,[y=2 x=1]) scan(a,z,[x=1])")),
              ElementsAre("w(x,1)", "w(y,2)", "|", "r(y,2)", "r(x,1)", "r(x,1)"));
  EXPECT_THAT(items(hist("S1: r(x,0) r(y,0) S2: update(value = 0,[x=1 y=2]) S3: append(l,1) r(l,[1])")),
              ElementsAre("r(x,0)", "r(y,0)", "|", "w(x,1)", "w(y,2)", "|", "append(l,1)", "r(l,[1])"));
}

TEST(Items, HaveTheInvisibleReadsThatAreAskedFor) {
  const History h = hist(
      "@initial null S1: w(x,1) w(y,2) w(z,5) S2: select(value < 2,[x=1]) S3: update(value < 3,[x=7 y=8]) "
      "S4: scan(x,y,[x=1])");
  const OpId select = h.operations(TxnId(1)).first, update = h.operations(TxnId(2)).first,
             scan = h.operations(TxnId(3)).first;
  EXPECT_THAT(
      items(h, {.reads = {{select, key(h, "y")},
                          {update, key(h, "x")},
                          {update, key(h, "z")},
                          {scan, key(h, "y")}}}),
      ElementsAre("w(x,1)", "w(y,2)", "w(z,5)", "|", "r(x,1)", "one-of(y,[2 8 null])", "|", "one-of(x,[1])",
                  "one-of(z,[5 null])", "w(x,7)", "w(y,8)", "|", "r(x,1)", "one-of(y,[null])"));
  for (const Invisible wrong :
       {Invisible{select, key(h, "x")}, Invisible{scan, key(h, "x")}, Invisible{scan, key(h, "z")}})
    EXPECT_THAT(items(h, {.reads = {wrong}}), ElementsAre(HasSubstr("a read line names a key")));
  EXPECT_THAT(items(h, {.reads = {{OpId(0), key(h, "y")}}}), ElementsAre(HasSubstr("without rows")));
  EXPECT_THAT(items(h, {.reads = {{update, key(h, "z")}, {update, key(h, "x")}}}),
              ElementsAre(HasSubstr("must be in order")));
  EXPECT_THAT(items(h, {.reads = {{OpId(99), key(h, "z")}}}), ElementsAre(HasSubstr("must be in order")));
}

TEST(Items, RememberTheirOperations) {
  const History h = hist("@initial null S1: insert(x,1) delete(x,true) r(x,null)");
  const auto made = items_of(h, {});
  ASSERT_TRUE(made);
  EXPECT_THAT(made->origin, ElementsAre(OpId(0), OpId(0), OpId(1), OpId(1), OpId(2)));
  EXPECT_EQ(made->history.statement(OpId(3)), OpId(2));
  EXPECT_EQ(made->history.statement(OpId(4)), OpId(4));
}

TEST(Items, LeaveOutWhatAnOpenRowMayHaveMade) {
  const History h = hist("S1: r(x,0) w(y,2) S2: update-maybe(value = 0,[x=1]) S3: w(x,1) S4: r(x,1) r(y,2)");
  EXPECT_THAT(items(h), ElementsAre("r(x,0)", "w(y,2)", "|", "|", "w(x,1)", "|", "r(y,2)"));
  const OpId maybe = h.operations(TxnId(1)).first;
  EXPECT_THAT(items(h, {.truths = {{maybe, key(h, "x"), true}}}),
              ElementsAre("r(x,0)", "w(y,2)", "|", "w(x,1)", "|", "w(x,1)", "|", "r(x,1)", "r(y,2)"));
  EXPECT_THAT(items(h, {.truths = {{maybe, key(h, "x"), false}}}),
              ElementsAre("r(x,0)", "w(y,2)", "|", "|", "w(x,1)", "|", "r(x,1)", "r(y,2)"));
  EXPECT_THAT(items(h, {.truths = {{maybe, key(h, "y"), false}}}),
              ElementsAre(HasSubstr("took or left line")));
}

// The first row's conditional write is made, since nothing else is open there; not that of a row which
// another one may meet.
TEST(Items, HaveConditionalWritesOfRowsThatAreAskedFor) {
  const History h =
      hist("S1: w(x,7) w(y,7) S2: update-maybe(value >= 0,[x=1 y=2],1) S3: update-maybe(value = 2,[y=3])");
  const OpId first = h.operations(TxnId(1)).first, second = h.operations(TxnId(2)).first;
  const KeyId x = key(h, "x"), y = key(h, "y");
  const auto made = items_of(h, {.rows = {{first, x}, {first, y}, {second, y}}});
  ASSERT_TRUE(made) << made.error().what;
  const History& i = made->history;
  ASSERT_EQ(i.operation_count(), 5u);
  EXPECT_TRUE(i.is_conditional_write(OpId(2)));
  EXPECT_EQ(i.count(OpId(3)), 1u);
  EXPECT_EQ(i.count(OpId(4)), std::nullopt);
  const auto without = items_of(h, {.rows = {{first, x}, {first, y}}});
  ASSERT_TRUE(without);
  ASSERT_EQ(without->history.operation_count(), 3u);
  EXPECT_EQ(without->history.key(OpId(2)), x);
  EXPECT_EQ(without->history.count(OpId(2)), std::nullopt);  // that of y is not made
  const auto supposed = items_of(h, {.truths = {{first, y, true}, {second, y, false}}, .rows = {{first, x}}});
  ASSERT_TRUE(supposed);
  EXPECT_EQ(supposed->history.count(OpId(2)), 0u);
}

TEST(Items, RefuseRowsThatAreNotByThemselves) {
  for (const char* other :
       {"w(x,5) update-maybe(value = 0,[x=1])", "update-maybe(value = 0,[x=1]) r(x,0)",
        "update-maybe(value = 0,[x=1]) select(value = 9,[])", "update-maybe(value = 0,[x=1]) scan(a,z,[y=0])",
        "update-maybe(value = 0,[x=1]) update(value = 9,[])", "update-maybe(value = 0,[x=1]) delete(x)",
        "update(value = 0,[x=4]) update-maybe(value = 0,[x=1])"}) {
    const History h = hist(fmt::format("S1: r(x,0) S2: {}", other));
    OpId maybe;
    for (const OpId op : h.operations())
      if (h.kind(op) == OpKind::UpdateMaybe) maybe = op;
    EXPECT_THAT(items(h, {.rows = {{maybe, key(h, "x")}}}), ElementsAre(HasSubstr("row line"))) << other;
  }
  const History apart =
      hist("S1: r(x,0) scan(a,c,[]) S2: r(x,0) scan(a,z,[x=0]) update-maybe(value = 0,[x=1]) scan(a,b,[])");
  EXPECT_NE(items(apart, {.rows = {{OpId(4), key(apart, "x")}}}).size(), 1u);
}

TEST(Items, OfAnUnknownTransactionWithAWrongCountAreAborted) {
  const History h = hist("S1: w(x,5) S2: update-maybe(value = 7,[x=1],1)? S3: r(x,5)");
  EXPECT_THAT(items(h, {.truths = {{OpId(1), key(h, "x"), false}}}),
              ElementsAre("w(x,5)", "|", "!", "|", "r(x,5)"));
}

// Of the rows of all update-maybes, by operation and as listed: + changed, - left, ? open.
std::string outcomes(std::string_view text) {
  const History h = hist(text);
  const RowOutcomes known = known_outcomes(h);
  std::string all;
  for (const OpId op : h.operations()) {
    if (h.kind(op) != OpKind::UpdateMaybe) continue;
    for (const KeyValueId row : h.rows(op)) {
      const auto changed = known.of(op, h.key(row));
      all += !changed ? '?' : *changed ? '+' : '-';
    }
  }
  return all;
}

TEST(Outcomes, AreKnownByWhatWasRead) {
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1 y=1 z=1 v=1]) S2: r(x,1) scan(y,y,[y=1]) "
                     "S3: select(value = 1,[z=1])"),
            "+++?");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1]) S2: r(x,1)?"), "?");        // may not have read it
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1]) S2: r(x,1) w(x,1)"), "?");  // somebody else wrote it
  EXPECT_EQ(outcomes("@initial 1 S1: update-maybe(value = 1,[x=1]) S2: r(x,1)"), "?");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1]) S2: update-maybe(value = 0,[x=1]) S3: r(x,1)"), "??");
}

TEST(Outcomes, AreKnownWhereNothingMatchesOrNobodyCommitted) {
  EXPECT_EQ(outcomes("S1: update-maybe(value = 7,[x=1 y=7])"), "-?");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 7,[x=1])!"), "+");
}

TEST(Outcomes, AreKnownByTheCountUnlessItIsWrong) {
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1 y=1],2)"), "++");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1 y=1],1) S2: r(x,1)"), "+-");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1 y=1],1)"), "??");
  EXPECT_EQ(outcomes("S1: update-maybe(value = 7,[x=1 y=1],1)"), "??");  // neither can match
  EXPECT_EQ(outcomes("S1: update-maybe(value = 0,[x=1 y=1],1) S2: r(x,1) r(y,1)"), "??");
}

}  // namespace
}  // namespace assay::test

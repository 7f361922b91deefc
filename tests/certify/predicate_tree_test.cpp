// The checker's reading of what predicates, ranges and orders of values mean: each sentence of
// docs/predicates.md, "What a predicate says".
#include "certify/predicate_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hist.h"

namespace assay::test {
namespace {

// Whether the row matches, when it is the only one that is written; asked of the row and of a whole table.
bool matches(std::string_view predicate, std::string_view row, std::string_view key = "x") {
  const History h = hist("@initial null S1: insert(" + std::string(key) + "," + std::string(row) +
                         ") update(" + std::string(predicate) + ",[])");
  const OpId insert = h.operations()[0], update = h.operations()[1];
  const Scalar value = h.value(h.value(insert));
  const PredicateTree tree(h, h.predicate(update));
  const bool alone = tree.matches(h.key(insert), value);
  ColumnCells cells;
  std::vector<std::uint8_t> truths;
  tree.evaluate(
      2,
      [&](Scalar column) -> const ColumnCells& {
        cells = {};
        cells.resize(2);
        cells.set(1, field_of(h, h.key(insert), value, column_named(h.pool(), column)));
        return cells;
      },
      truths);
  EXPECT_EQ(truths.at(1) == PredicateTree::kTrue, alone) << predicate << " of " << row;
  return alone;
}

TEST(PredicateTree, ComparesNumbersExactly) {
  EXPECT_TRUE(matches("value = 1.0", "1"));
  EXPECT_TRUE(matches("value != 1.5", "1"));
  EXPECT_TRUE(matches("value < 7", "6"));
  EXPECT_FALSE(matches("value < 7", "7"));
  EXPECT_TRUE(matches("value <= 7", "7"));
  EXPECT_TRUE(matches("value > -4", "-3"));
  EXPECT_FALSE(matches("value > -3", "-3"));
  EXPECT_TRUE(matches("value >= -3", "-3"));
  EXPECT_TRUE(matches("value < 0.10000000000000000001", "0.1"));
  EXPECT_FALSE(matches("value < 0.1", "0.10000000000000000001"));
  EXPECT_TRUE(matches("value > 9223372036854775807", "9223372036854775808"));
  EXPECT_FALSE(matches("value < 1e300", "15e299"));
}

TEST(PredicateTree, ComparesStringsBytewiseAndBooleans) {
  EXPECT_TRUE(matches("value < b", "ab"));
  EXPECT_TRUE(matches("value < b", "Z"));
  EXPECT_TRUE(matches("value >= ab", "abc"));
  EXPECT_TRUE(matches("value like \"ab%\"", "abc"));
  EXPECT_TRUE(matches("value like \"%\"", "abc"));
  EXPECT_FALSE(matches("value like \"abd%\"", "abc"));
  EXPECT_TRUE(matches("value < true", "false"));
  EXPECT_FALSE(matches("value != true", "true"));
}

TEST(PredicateTree, KnowsListsAndRanges) {
  EXPECT_TRUE(matches("value in [3 1 2.5]", "2.5"));
  EXPECT_FALSE(matches("value in [1 3]", "2"));
  EXPECT_TRUE(matches("value between 2 and 4", "2"));
  EXPECT_TRUE(matches("value between 2 and 4", "4"));
  EXPECT_FALSE(matches("value between 2 and 4", "5"));
  EXPECT_FALSE(matches("value between 2 and 4", "1.5"));
}

TEST(PredicateTree, ColumnsAreTheKeyTheScalarRowOrFields) {
  EXPECT_TRUE(matches("key = 7", "{colour:red}", "7"));
  EXPECT_TRUE(matches("key > a", "1", "b"));
  EXPECT_TRUE(matches("colour = red and size > 1", "{colour:red,size:1.5}"));
  EXPECT_FALSE(matches("colour = red and size > 2", "{colour:red,size:1.5}"));
  EXPECT_TRUE(matches("colour = blue or size > 1", "{colour:red,size:1.5}"));
  EXPECT_TRUE(matches("colour is null", "5"));
  EXPECT_FALSE(matches("value is null", "5"));
}

TEST(PredicateTree, UnknownIsNeitherTrueNorFalse) {
  EXPECT_FALSE(matches("size > 1", "{colour:red}"));
  EXPECT_FALSE(matches("not (size > 1)", "{colour:red}"));
  EXPECT_FALSE(matches("size = null", "{size:null}"));
  EXPECT_TRUE(matches("size is null", "{size:null}"));
  EXPECT_TRUE(matches("size > 1 or colour = red", "{colour:red}"));
  EXPECT_FALSE(matches("not (size > 1 and colour = red)", "{colour:red}"));
  EXPECT_TRUE(matches("not (size > 1 and colour = blue)", "{colour:red}"));
  EXPECT_TRUE(matches("value in [1 null]", "1"));
  EXPECT_FALSE(matches("not (value in [1 null])", "2"));
  EXPECT_TRUE(matches("not (value between 3 and null)", "2"));
  EXPECT_FALSE(matches("value between null and 3", "2"));
}

TEST(PredicateTree, NoRowMatchesNothing) {
  const History h = hist("@initial null S1: r(x,null) update(not (value = 1),[]) update(value is null,[])");
  for (const std::size_t op : {1, 2})
    EXPECT_FALSE(PredicateTree(h, h.predicate(h.operations()[op])).matches(h.keys()[0], Scalar::null()));
}

TEST(OrderOfValues, OrdersNumbersWhateverTheirSpelling) {
  ScalarPool pool;
  const char* increasing[] = {"-1e400",
                              "-1e399",
                              "-123456789012345678901234.5",
                              "-9223372036854775808",
                              "-10.5",
                              "-10",
                              "-9.5",
                              "-0.0012",
                              "-15e-100",
                              "0",
                              "1e-101",
                              "15e-100",
                              "0.0012",
                              "0.002",
                              "0.1",
                              "0.11",
                              "1",
                              "1.5",
                              "9.99",
                              "10",
                              "10.01",
                              "99",
                              "100",
                              "9223372036854775807",
                              "9223372036854775807.5",
                              "9223372036854775808",
                              "1e300"};
  for (int i = 0; i < std::ssize(increasing); ++i)
    for (int j = 0; j < std::ssize(increasing); ++j)
      EXPECT_EQ(order_of_values(pool, *pool.number(increasing[i]), *pool.number(increasing[j])),
                i < j ? -1 : i > j)
          << increasing[i] << " and " << increasing[j];
}

TEST(IsInRange, IncludesBothEndsAndNoOtherType) {
  const History h = hist("S1: r(1,0) r(2,0) r(10,0) r(b,0) scan(2,10,[])");
  const KeyBounds range = h.bounds(h.operations()[4]);
  std::vector<bool> inside;
  for (const KeyId key : h.keys()) inside.push_back(is_in_range(h, range, key));
  EXPECT_THAT(inside, testing::ElementsAre(false, true, true, false));
}

std::string problem(std::string_view text) {
  const auto checked = require_meaning(hist(text));
  return checked ? "" : checked.error().what;
}

TEST(Meaning, IsThereWhereColumnsHaveOneType) {
  for (const char* text :
       {"S1: r(x,1) w(x,a)", "@initial null S1: insert(x,1) insert(y,1.5) select(value < 2,[x=1 y=1.5])",
        "@initial null S1: insert(x,{a:1,b:null}) update(a = 1 and b = red,[x={a:2,b:blue}])",
        "S1: append(l,1) select(value = 0 and key = x,[x=0]) update-maybe(key in [x y],[x=1],1)",
        "S1: scan(1,3,[2=0]) select(value = null,[])", "S1: append(l,1) scan(1,9,[])"})
    EXPECT_EQ(problem(text), "") << text;
}

TEST(Meaning, IsNotThereOtherwise) {
  using testing::HasSubstr;
  for (const char* text : {"S1: r(x,0) | w(x,1) select(value < seven,[])", "S1: w(7,0) update(key = x,[])",
                           "S1: w(x,0) w(7,0) update(key = x,[])",
                           "@initial null S1: insert(x,{a:1}) insert(y,{a:red}) update(a = 1,[])",
                           "@initial null S1: insert(x,{a:true}) update(not (b = 1 or a in [true 1]),[])"})
    EXPECT_THAT(problem(text), HasSubstr("with a constant of another type")) << text;
  for (const char* pattern : {"\"abc\"", "\"%abc\"", "\"a%c%\"", "\"a_%\"", "\"\"", "\"a\\\\%\"", "5"})
    EXPECT_THAT(problem("@initial null S1: insert(x,abc) select(value like " + std::string(pattern) + ",[])"),
                HasSubstr("a pattern that is no prefix"))
        << pattern;
  EXPECT_THAT(problem("S1: w(x,1) | scan(1,9,[])"), HasSubstr("scan 2.1 is of keys of several types"));
  EXPECT_THAT(problem("S1: scan(1,3,[4=0])"), HasSubstr("key 4, which is not in its range"));
  EXPECT_THAT(problem("S1: scan(1,3,[2=0 2=1])"), HasSubstr("lists key 2 twice"));
  EXPECT_THAT(problem("S1: select(value < 7,[x=9])"), HasSubstr("key x with a row that does not match"));
  EXPECT_THAT(problem("S1: update(value < 7,[x=9 x=8])"), HasSubstr("lists key x twice"));
}

}  // namespace
}  // namespace assay::test

#include "history/matches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/scalar_order.h"
#include "support/hist.h"

namespace assay {
namespace {

using test::hist;

// Whether the row matches P, when it is the only one that is written.
bool matches(std::string_view predicate, std::string_view row, std::string_view key = "x") {
  const History h = hist("@initial null S1: insert(" + std::string(key) + "," + std::string(row) +
                         ") update(" + std::string(predicate) + ",[])");
  const OpId insert = h.operations()[0], update = h.operations()[1];
  return RowTest(h, h.predicate(update))(h.key(insert), h.value(h.value(insert)));
}

TEST(RowTest, ComparesNumbersExactly) {
  EXPECT_TRUE(matches("value < 7", "6"));
  EXPECT_FALSE(matches("value < 7", "7"));
  EXPECT_TRUE(matches("value <= 7", "7"));
  EXPECT_TRUE(matches("value >= -3", "-3"));
  EXPECT_FALSE(matches("value > -3", "-4"));
  EXPECT_TRUE(matches("value = 1.0", "1"));
  EXPECT_TRUE(matches("value != 1.5", "1"));
  EXPECT_TRUE(matches("value < 0.10000000000000000001", "0.1"));
  EXPECT_FALSE(matches("value < 0.1", "0.10000000000000000001"));
  EXPECT_TRUE(matches("value > 9223372036854775807", "9223372036854775808"));
  EXPECT_TRUE(matches("value < 1.5", "-200.25"));
  EXPECT_TRUE(matches("value > -1e300", "-5e299"));
  EXPECT_FALSE(matches("value < 1e300", "15e299"));
}

TEST(RowTest, ComparesStringsBytewise) {
  EXPECT_TRUE(matches("value < b", "ab"));
  EXPECT_TRUE(matches("value < b", "Z"));
  EXPECT_TRUE(matches("value >= ab", "abc"));
  EXPECT_TRUE(matches("value like \"ab%\"", "abc"));
  EXPECT_TRUE(matches("value like \"%\"", "abc"));
  EXPECT_FALSE(matches("value like \"abd%\"", "abc"));
}

TEST(RowTest, ComparesBooleansAndLists) {
  EXPECT_TRUE(matches("value = true", "true"));
  EXPECT_TRUE(matches("value < true", "false"));
  EXPECT_TRUE(matches("value in [1 2 3]", "2"));
  EXPECT_TRUE(matches("value in [3 1 2.5]", "2.5"));
  EXPECT_FALSE(matches("value in [1 3]", "2"));
  EXPECT_TRUE(matches("value between 2 and 4", "2"));
  EXPECT_TRUE(matches("value between 2 and 4", "4"));
  EXPECT_FALSE(matches("value between 2 and 4", "5"));
}

TEST(RowTest, ColumnsAreTheKeyTheScalarRowOrFields) {
  EXPECT_TRUE(matches("key = 7", "{colour:red}", "7"));
  EXPECT_TRUE(matches("key > a", "1", "b"));
  EXPECT_TRUE(matches("colour = red and size > 1", "{colour:red,size:1.5}"));
  EXPECT_FALSE(matches("colour = red and size > 2", "{colour:red,size:1.5}"));
  EXPECT_TRUE(matches("colour = blue or size > 1", "{colour:red,size:1.5}"));
  EXPECT_TRUE(matches("colour is null", "5"));
  EXPECT_FALSE(matches("value is null", "5"));
}

TEST(RowTest, UnknownIsNeitherTrueNorFalse) {
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

TEST(RowTest, NoVersionMatchesNothing) {
  const History h = hist("@initial null S1: r(x,null) update(not (value = 1),[]) update(value is null,[])");
  const KeyId x = h.key(h.operations()[0]);
  for (const std::size_t op : {1, 2})
    EXPECT_FALSE(RowTest(h, h.predicate(h.operations()[op]))(x, Scalar::null()));
}

TEST(RowTest, NestsDeeply) {
  std::string deep = "value = 1";
  for (int i = 0; i < 30; ++i) deep = "not (" + deep + ")";
  EXPECT_TRUE(matches(deep, "1"));
  EXPECT_FALSE(matches(deep, "2"));
}

TEST(ScalarOrder, OrdersNumbersWhateverTheirSpelling) {
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
  for (std::size_t i = 0; i < std::size(increasing); ++i)
    for (std::size_t j = 0; j < std::size(increasing); ++j)
      EXPECT_EQ(compare(pool, *pool.number(increasing[i]), *pool.number(increasing[j])), i <=> j)
          << increasing[i] << " and " << increasing[j];
}

TEST(InBounds, IncludesBothEnds) {
  const History h = hist("S1: r(1,0) r(2,0) r(10,0) r(b,0) scan(2,10,[])");
  const KeyBounds bounds = h.bounds(h.operations()[4]);
  EXPECT_FALSE(in_bounds(h, bounds, h.key(h.operations()[0])));
  EXPECT_TRUE(in_bounds(h, bounds, h.key(h.operations()[1])));
  EXPECT_TRUE(in_bounds(h, bounds, h.key(h.operations()[2])));
  EXPECT_FALSE(in_bounds(h, bounds, h.key(h.operations()[3])));
}

std::string problem(std::string_view text) {
  const auto checked = check_predicates(hist(text));
  return checked ? "" : checked.error().what;
}

TEST(CheckPredicates, AcceptsWhatMeansSomething) {
  EXPECT_EQ(problem("S1: r(x,1) w(x,a)"), "");
  EXPECT_EQ(problem("@initial null S1: insert(x,1) insert(y,1.5) select(value < 2,[x=1 y=1.5])"), "");
  EXPECT_EQ(problem("@initial null S1: insert(x,{a:1,b:null}) update(a = 1 and b = red,[x={a:2,b:blue}])"),
            "");
  EXPECT_EQ(problem("S1: append(l,1) select(value = 0 and key = x,[x=0]) update-maybe(key in [x y],[x=1],1)"),
            "");
  EXPECT_EQ(problem("S1: scan(1,3,[2=0]) select(value = null,[])"), "");
}

TEST(CheckPredicates, PointsAtAConstantOfAnotherType) {
  EXPECT_EQ(problem("S1: r(x,0) | w(x,1) select(value < seven,[])"),
            "transaction S1:2, operation 2 (value < seven): column value is compared with the string "
            "\"seven\", but "
            "key x has the number 0 there");
  EXPECT_NE(problem("S1: w(7,0) update(key = x,[])"), "");
  EXPECT_NE(problem("S1: w(x,0) w(7,0) update(key = x,[])"), "");
  EXPECT_NE(problem("@initial null S1: insert(x,{a:1}) insert(y,{a:red}) update(a = 1,[])"), "");
  EXPECT_NE(problem("@initial null S1: insert(x,{a:true}) update(not (b = 1 or a in [true 1]),[])"), "");
}

TEST(CheckPredicates, RefusesPatternsThatAreNoPrefix) {
  for (const char* pattern : {"\"abc\"", "\"%abc\"", "\"a%c%\"", "\"a_%\"", "\"\"", "\"a\\\\%\"", "5"})
    EXPECT_THAT(problem("@initial null S1: insert(x,abc) select(value like " + std::string(pattern) + ",[])"),
                testing::HasSubstr("is no prefix pattern"))
        << pattern;
}

TEST(CheckPredicates, RefusesAScanInATableWithKeysOfAnotherType) {
  EXPECT_EQ(problem("S1: w(x,1) | scan(1,9,[])"),
            "transaction S1:2, operation 1 (a scan): a scan over mixed key types: it begins with a number, "
            "and there "
            "are keys that are strings");
  EXPECT_EQ(problem("S1: append(l,1) scan(1,9,[])"), "");
}

TEST(CheckPredicates, RefusesRowsThatCannotHaveBeenSeen) {
  EXPECT_THAT(problem("S1: scan(1,3,[4=0])"), testing::HasSubstr("key 4 is outside the range"));
  EXPECT_THAT(problem("S1: scan(1,3,[2=0 2=1])"), testing::HasSubstr("key 2 is listed twice"));
  EXPECT_THAT(problem("S1: select(value < 7,[x=9])"), testing::HasSubstr("the row x = 9 does not match"));
  EXPECT_THAT(problem("S1: update(value < 7,[x=9 x=8])"), testing::HasSubstr("key x is listed twice"));
}

}  // namespace
}  // namespace assay

#include <gtest/gtest.h>

#include "history/scalar.h"

namespace assay {
namespace {

class Scalars : public testing::Test {
 protected:
  Scalar number(std::string_view text) { return pool_.number(text).value(); }
  std::string normal(std::string_view text) { return pool_.to_json(number(text)); }
  ScalarPool pool_;
};

TEST_F(Scalars, EqualNumbersAreEqualHoweverTheyAreSpelled) {
  for (const std::string_view one : {"1", "1.0", "1e0", "10e-1", "0.1e1", "+1"})
    EXPECT_EQ(number(one), Scalar::integer(1)) << one;
  for (const std::string_view zero : {"0", "-0", "0.0", "-0e5", "0e-3"})
    EXPECT_EQ(number(zero), Scalar::integer(0));
  EXPECT_EQ(number("0.10"), number("1e-1"));
  EXPECT_EQ(number("9223372036854775807.0"), Scalar::integer(INT64_MAX));
  EXPECT_EQ(number("-9223372036854775808"), Scalar::integer(INT64_MIN));
}

TEST_F(Scalars, DifferentNumbersDifferHoweverLongTheyAre) {
  EXPECT_NE(number("18446744073709551615"), number("18446744073709551614"));
  EXPECT_NE(number("0.10000000000000000001"), number("0.1"));
  EXPECT_NE(number("1e400"), number("1e401"));
  EXPECT_NE(number("9223372036854775808"), number("-9223372036854775808"));
}

TEST_F(Scalars, DecimalsHaveOneSpelling) {
  EXPECT_EQ(normal("1.50"), "1.5");
  EXPECT_EQ(normal("-0.00120"), "-0.0012");
  EXPECT_EQ(normal("18446744073709551616"), "18446744073709551616");
  EXPECT_EQ(normal("1e300"), "1e300");
  EXPECT_EQ(normal("15e-100"), "15e-100");
  for (const std::string_view text : {"1.5", "-0.0012", "1e300", "15e-100", "123456789012345678901234.5"})
    EXPECT_EQ(normal(normal(text)), normal(text));
}

TEST_F(Scalars, WhatIsNoNumberIsRefused) {
  for (const std::string_view text : {"", "-", ".", "e5", "1e", "1x", "0x10", "1e9999999", "--1", "1 "})
    EXPECT_FALSE(pool_.number(text).has_value()) << text;
}

TEST_F(Scalars, AStringNeverEqualsANumber) {
  EXPECT_NE(pool_.string("1"), number("1"));
  EXPECT_NE(pool_.string("0.1"), number("0.1"));
  EXPECT_EQ(pool_.string("a"), pool_.string("a"));
}

TEST_F(Scalars, RowsAreEqualWhateverTheOrderOfTheirColumns) {
  const Scalar a = pool_.string("a"), b = pool_.string("b");
  const Scalar one = Scalar::integer(1), two = Scalar::integer(2);
  EXPECT_EQ(pool_.row({{a, one}, {b, two}}), pool_.row({{b, two}, {a, one}}));
  EXPECT_NE(pool_.row({{a, one}, {b, two}}), pool_.row({{a, two}, {b, one}}));
  EXPECT_NE(pool_.row(std::vector<RowField>()), pool_.row({{a, one}}));
  EXPECT_EQ(pool_.to_json(pool_.row({{b, two}, {a, one}})), R"({"a":1,"b":2})");
  EXPECT_EQ(pool_.to_json(pool_.row(std::vector<RowField>())), "{}");
}

TEST_F(Scalars, ImportSaysTheSameInAnotherPool) {
  ScalarPool other;
  other.string("something before");
  const Scalar row = pool_.row({{pool_.string("a"), number("0.5")}, {pool_.string("b"), pool_.string("x")}});
  EXPECT_EQ(other.to_json(other.import(row, pool_)), pool_.to_json(row));
}

TEST_F(Scalars, JsonStringsAreEscaped) {
  EXPECT_EQ(pool_.to_json(pool_.string("a\"\\\n\x01\xc3\xa9")), "\"a\\\"\\\\\\n\\u0001\xc3\xa9\"");
}

}  // namespace
}  // namespace assay

#include "history_io/jsonl_plain_rows.h"

#include <gtest/gtest.h>

#include "history/compare.h"
#include "history_io/byte_source.h"
#include "support/round_trip.h"

namespace assay {
namespace {

class JsonlPlainRows : public testing::Test {
 protected:
  bool takes(std::string text) {
    const std::size_t size = text.size();
    text.append(ByteSource::kPadding, '\0');
    return read_plain_rows(std::string_view(text).substr(0, size), builder_, columns_, rows_);
  }
  Scalar row(std::vector<RowField> fields) { return builder_.pool().row(std::move(fields)); }
  Scalar string(std::string_view text) { return builder_.pool().string(text); }

  HistoryBuilder builder_;
  std::vector<PlainColumn> columns_;
  std::vector<KeyAndValue> rows_;
};

TEST_F(JsonlPlainRows, AreIntegersStringsAndRowsOfThese) {
  ASSERT_TRUE(takes("[]"));
  EXPECT_TRUE(rows_.empty());
  ASSERT_TRUE(takes(R"([[1,5],["k","v"],[2,{"b":"x","a":7}],[3,{"c":1,"a":8}]])"));
  ASSERT_EQ(rows_.size(), 4u);
  EXPECT_EQ(rows_[0].key, builder_.key(Scalar::integer(1)));
  EXPECT_EQ(rows_[0].value, Scalar::integer(5));
  EXPECT_EQ(rows_[1].key, builder_.key("k"));
  EXPECT_EQ(rows_[1].value, string("v"));
  EXPECT_EQ(rows_[2].value, row({{string("a"), Scalar::integer(7)}, {string("b"), string("x")}}));
  EXPECT_EQ(rows_[3].value, row({{string("a"), Scalar::integer(8)}, {string("c"), Scalar::integer(1)}}));
}

TEST_F(JsonlPlainRows, LeaveEverythingElseToTheParser) {
  for (const char* text : {"[ ]",
                           "[[1,5] ]",
                           "[[1,-5]]",
                           "[[1,5.5]]",
                           "[[1,null]]",
                           "[[1,true]]",
                           R"([["\u0031",5]])",
                           R"([[1,{}]])",
                           R"([[1,{"a":null}]])",
                           R"([[1,{"a":1,"a":2}]])",
                           R"([[1,{"a":{"b":1}}]])",
                           "[[1,[2]]]",
                           "[[1,5],]",
                           "[[1,5,6]]",
                           "[[1]]",
                           "[1,5]",
                           "[[1,5]]]",
                           "[[1,5][2,6]]",
                           R"([[1,{"a":1,}]])",
                           R"([[1,{"a"1}]])",
                           R"([[{"a":1},5]])"})
    EXPECT_FALSE(takes(text)) << text;
  std::string many = R"([[1,{"a0":0)";
  for (int i = 1; i < 40; ++i) many += ",\"a" + std::to_string(i) + "\":0";
  EXPECT_FALSE(takes(many + "}]]"));
}

TEST_F(JsonlPlainRows, AreNeverTakenCutOff) {
  const std::string text = R"([[1,{"a":7,"bc":"de"}],[22,333]])";
  ASSERT_TRUE(takes(text));
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(takes(text.substr(0, size))) << size;
}

TEST(JsonlRows, AreReadAlikeHoweverTheyAreSpelled) {
  const auto read = [](std::string_view rows) {
    return test::read_text(R"({"session":1,"ops":[["select",["=","a",1],)" + std::string(rows) + "]]}",
                           "jsonl")
        .value();
  };
  const History plain = read(R"([[1,{"a":1,"b":"x"}],["k",{"b":2,"a":1}],[2,{"a":1}]])");
  for (const char* other : {R"([ [1, {"a":1, "b":"x"}], ["k",{"a":1,"b":2}], [2,{"a":1}] ])",
                            R"([[1,{"\u0061":1,"b":"x"}],["k",{"b":2.0,"a":1}],[2,{"a":1e0}]])"})
    EXPECT_EQ(first_difference(plain, read(other)), std::nullopt) << other;
}

// The first key that has a row of columns is found otherwise than the others.
TEST(JsonlRows, MayStandUnderSeveralKeys) {
  const History h =
      test::read_text(
          R"({"session":1,"ops":[["scan",1,9,[[1,{"a":1}],[2,{"a":1}],[3,{"a":1}],[2,{"a":2}]]],["scan",1,9,[[3,{"a":1}],[1,{"a":1}],[2,{"a":1}]]]]})",
          "jsonl")
          .value();
  const auto rows = h.rows(OpId(0)), again = h.rows(OpId(1));
  EXPECT_EQ(again[0], rows[2]);
  EXPECT_EQ(again[1], rows[0]);
  EXPECT_EQ(again[2], rows[1]);
  EXPECT_NE(rows[0], rows[1]);
  EXPECT_NE(rows[1], rows[3]);
}

}  // namespace
}  // namespace assay

#include <gtest/gtest.h>

#include <charconv>

#include "history/compare.h"
#include "history_io/byte_source.h"
#include "history_io/digits.h"
#include "history_io/jsonl_plain_line.h"
#include "support/hist.h"
#include "support/round_trip.h"

namespace assay {
namespace {

using test::hist;

bool takes(std::string line, HistoryBuilder& builder, TransactionHead& head) {
  const std::size_t size = line.size();
  line.append(ByteSource::kPadding, '\0');
  return read_plain_line(std::string_view(line).substr(0, size), builder, head);
}

bool takes(std::string line) {
  HistoryBuilder builder;
  TransactionHead head;
  return takes(std::move(line), builder, head);
}

std::string line_with(std::string_view ops) {
  return "{\"session\":1,\"txn\":2,\"ops\":" + std::string(ops) + "}";
}

TEST(ParseDigits, ReadsWhatFitsAnIntegerAndNothingLonger) {
  std::string text;
  for (const char* number : {"0", "7", "10", "99999999", "100000000", "1234567890123456", "12345678901234567",
                             "999999999999999999", "9223372036854775807", "00000000000000000012"}) {
    for (const char* after : {"", ",", "]}", "/", ":", "\xff\xff"}) {
      text = number;
      const std::size_t size = text.size();
      text += after;
      text.append(16, '\0');
      std::uint64_t parsed = 0, expected = 0;
      std::from_chars(number, number + size, expected);
      EXPECT_EQ(parse_digits(text.data(), parsed), size <= 19 ? size : 0) << text;
      if (size <= 19) {
        EXPECT_EQ(parsed, expected);
      }
    }
  }
  for (const char* number : {"", "x1", "9223372036854775808", "9999999999999999999", "18446744073709551616",
                             "111111111111111111111111", "1111111111111111111111111111111111"}) {
    text = number;
    text.append(16, '\0');
    std::uint64_t parsed = 0;
    EXPECT_EQ(parse_digits(text.data(), parsed), 0u) << number;
  }
}

TEST(JsonlPlainLine, TakesEveryLineThatOurWriterSpellsPlainly) {
  const History h = hist(
      "@initial none\n"
      "1: <17 @1000,1001..1002,1700000000000000000> r(x,0) w(12,9223372036854775807)! | <b> () | <c> "
      "w(y,5)?\n"
      "s: <d @5..> r(x,0)");
  std::string text = test::write_text(h, "jsonl").value();
  text.erase(0, text.find('\n') + 1);
  HistoryBuilder builder;
  builder.set_initial(std::nullopt);
  while (!text.empty()) {
    const std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    TransactionHead head;
    ASSERT_TRUE(takes(line, builder, head)) << line;
    ASSERT_TRUE(builder.finish(head).has_value());
  }
  EXPECT_EQ(first_difference(h, std::move(builder).build().value()), std::nullopt);
}

TEST(JsonlPlainLine, LeavesEverythingElseToTheParser) {
  ASSERT_TRUE(takes(line_with("[]")));
  ASSERT_TRUE(takes(line_with(R"([["r",12,345],["w","k12",0]])")));
  for (const std::string_view ops : {R"([ ])",
                                     R"([["r",12,345] ])",
                                     R"([["r",012,345]])",
                                     R"([["r",12,-3]])",
                                     R"([["r",1,2.5]])",
                                     R"([["r",1,2e3]])",
                                     R"([["r",1,9223372036854775808]])",
                                     R"([["r",1,null]])",
                                     R"([["r",1,"a"]])",
                                     R"([["r","\u0031",2]])",
                                     "[[\"r\",\"\xc3\xa9\",2]]",
                                     R"([["append",1,2]])",
                                     R"([["x",1,2]])",
                                     R"([["r",1,2],])",
                                     R"([,["r",1,2]])",
                                     R"([["r",1,2]["r",1,2]])",
                                     R"([["r",1,2,3]])",
                                     R"([["r",1]])",
                                     R"([["r",,2]])",
                                     R"([["r",1,2]]])",
                                     R"([["r",1,2]],"x":1)"})
    EXPECT_FALSE(takes(line_with(ops))) << ops;
  EXPECT_FALSE(takes(line_with("[]") + " "));
  EXPECT_FALSE(takes(line_with("[]") + "}"));
}

TEST(JsonlPlainLine, TakesNoLineThatIsCutOff) {
  const std::string line =
      R"({"session":1,"txn":"a","status":"aborted","begin":1,"end":22,"ops":[["r",1,2],["w","x",123456789]]})";
  ASSERT_TRUE(takes(line));
  for (std::size_t size = 0; size < line.size(); ++size) EXPECT_FALSE(takes(line.substr(0, size))) << size;
  // What follows the line belongs to the next one.
  HistoryBuilder builder;
  TransactionHead head;
  for (std::size_t size = 0; size < line.size(); ++size)
    EXPECT_FALSE(
        read_plain_line(std::string_view(line + std::string(64, '\0')).substr(0, size), builder, head));
}

}  // namespace
}  // namespace assay

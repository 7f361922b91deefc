#include "base/printable.h"

#include <gtest/gtest.h>

#include <array>

namespace assay {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const std::string_view text : {"", "a b\n\tc", "x=\"1\"", "\u00e4\u20ac\U0001f600", "\u00a0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WritesControlCharactersInHexadecimal) {
  EXPECT_EQ(printable("a\x1b[31mb\rc\x07"), "a\\u001b[31mb\\u000dc\\u0007");
  EXPECT_EQ(printable("\x7f\u0085\u009b"), "\\u007f\\u0085\\u009b");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(printable("\u202e\u2066\u2028"), "\\u202e\\u2066\\u2028");
}

TEST(Printable, WritesBytesThatAreNotUtf8InHexadecimal) {
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xffa\\xc3");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // an overlong zero
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a surrogate pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
}

TEST(Printable, KeepsTheSequencesThatItIsTold) {
  const std::array<std::string_view, 1> bold{"\x1b[1m"};
  EXPECT_EQ(printable("\x1b[1mx\x1b[2m", bold), "\x1b[1mx\\u001b[2m");
}

TEST(Printable, ANameThatWouldBreakALineIsNoPrintableName) {
  EXPECT_TRUE(is_printable_name("row 7 \u00e4"));
  for (const std::string_view name : {"", "a\nb", "a\tb", "\x1b", "\xff", "\u202e"})
    EXPECT_FALSE(is_printable_name(name)) << name;
}

}  // namespace
}  // namespace assay

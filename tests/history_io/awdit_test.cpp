#include "format_testing.h"

namespace assay::test {
namespace {

TEST(AwditReader, ReadsTransactionsAndSessions) {
  const auto h = read_text("w 0 0\nw 1 1\n=====\nw 0 2\n=\nr 0 2\n-\nr 1 1", "awdit");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->session_count(), 3u);
  EXPECT_EQ(h->transaction_count(), 4u);
  EXPECT_EQ(describe(*h, OpId(4)), "r(1,1)");
  EXPECT_EQ(h->display(TxnId(3)), "3:2");
}

TEST(AwditReader, HasNoInitialState) {
  const auto h = read_text("r 0 0\n", "awdit");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->default_initial(), std::nullopt);
  EXPECT_TRUE(h->initial_value(KeyId(0)).is_none());
}

TEST(AwditReader, MakesNothingOfSeparatorsWithNothingBetween) {
  const auto h = read_text("w 0 0\n---\n---\n===\n===\nw 0 1\n---\n===\n", "awdit");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->session_count(), 2u);
  EXPECT_EQ(h->transaction_count(), 2u);
}

TEST(AwditReader, NamesTheLineAndWhatItExpected) {
  const std::string expected = "expected 'r key value', 'w key value', '---' or '===', found ";
  EXPECT_EQ(error_of("awdit", "w 0 0\nx 0 0\n"), "test:2: " + expected + "'x 0 0'");
  EXPECT_EQ(error_of("awdit", "w 0\n"), "test:1: " + expected + "'w 0'");
  EXPECT_EQ(error_of("awdit", "w 0 0 0\n"), "test:1: " + expected + "'w 0 0 0'");
  EXPECT_EQ(error_of("awdit", "w 0 0\n--=\n"), "test:2: " + expected + "'--='");
  EXPECT_EQ(error_of("awdit", "w x 0\n"), "test:1: the key is 'x' (expected an integer)");
  EXPECT_EQ(error_of("awdit", "w 0 99999999999999999999\n"),
            "test:1: the value '99999999999999999999' does not fit in 64 bits");
  EXPECT_EQ(error_of("awdit", "w \xc3\x28 0\n"), "test:1: the key is '\\xc3(' (expected an integer)");
}

TEST(AwditReader, ReadsTheSharedHistories) {
  ASSAY_NEED_SHARED_HISTORIES();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared_histories() + "/weak")) {
    const auto h = read_history(entry.path().string());
    ASSERT_TRUE(h) << h.error().describe();
    EXPECT_GE(h->transaction_count(), 3u);
    ++files;
  }
  EXPECT_GE(files, 7u);
}

}  // namespace
}  // namespace assay::test

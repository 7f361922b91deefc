// What a run that was killed leaves behind must be read for what it is worth, and no more.
#include "history_io/journal.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "history_io/format_testing.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

class Journals : public testing::Test {
 protected:
  Journals() { write("header.json", "{\"assay\":1,\"initial\":0,\"note\":\"a test\"}\n"); }

  void write(const std::string& name, std::string_view bytes) const { directory_.file(name, bytes); }
  std::string path() const { return directory_.path(); }
  std::string merged() const {
    const std::string out = directory_ / "out.jsonl";
    EXPECT_TRUE(merge_journals(path(), out));
    std::ostringstream text;
    text << std::ifstream(out, std::ios::binary).rdbuf();
    return text.str();
  }
  std::string problem() const { return read_history(path()).error().describe(); }

  TemporaryDirectory directory_;
};

TEST_F(Journals, AreMergedInTheOrderInWhichTransactionsEnded) {
  write("1.journal", "10 15 18 [[\"w\",1,1]]\nc 20\n30 31 32 [[\"r\",1,2]]\na 40\n");
  write("2.journal", "5 6 - [[\"w\",1,2]]\nc 25\n");
  EXPECT_EQ(merged(),
            "{\"assay\":1,\"initial\":0,\"note\":\"a test\"}\n"
            "{\"session\":1,\"txn\":\"1:1\",\"begin\":10,\"began\":15,\"committing\":18,\"end\":20,\"ops\":[["
            "\"w\",1,1]]}\n"
            "{\"session\":2,\"txn\":\"2:1\",\"begin\":5,\"began\":6,\"end\":25,\"ops\":[[\"w\",1,2]]}\n"
            "{\"session\":1,\"txn\":\"1:2\",\"status\":\"aborted\",\"begin\":30,\"began\":31,\"committing\":"
            "32,\"end\":40,"
            "\"ops\":[[\"r\",1,2]]}\n");
}

TEST_F(Journals, AreAHistoryForEveryCommand) {
  write("1.journal", "10 15 18 [[\"w\",\"user:1\",1]]\nc 20\n");
  write("2.journal", "21 22 23 [[\"r\",\"user:1\",1]]\nu\n");
  const auto history = read_history(path());
  ASSERT_TRUE(history) << history.error().describe();
  EXPECT_EQ(history->note(), "a test");
  EXPECT_EQ(history->transaction_count(), 2u);
  EXPECT_EQ(history->outcome(TxnId(0)), Outcome::Committed);
  EXPECT_EQ(history->outcome(TxnId(1)), Outcome::Unknown);
}

TEST_F(Journals, OfAKilledRunMayEndAnywhere) {
  const std::string whole = "10 15 18 [[\"w\",1,1],[\"r\",2,0]]\nc 20\n21 22 23 [[\"w\",2,1]]\nc 30\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write("1.journal", whole.substr(0, size) + std::string(100, '\0'));
    write("2.journal", "1 2 3 []\nc 4\n");
    const auto history = read_history(path());
    ASSERT_TRUE(history) << size << ": " << history.error().describe();
    // Operations count once their line is whole, and an outcome likewise.
    const std::size_t lines = std::ranges::count(whole.substr(0, size), '\n');
    ASSERT_EQ(history->transaction_count(), 1 + (lines + 1) / 2) << size;
    std::size_t unknown = 0;
    for (const TxnId t : history->transactions()) unknown += history->outcome(t) == Outcome::Unknown;
    EXPECT_EQ(unknown, lines % 2) << size;
  }
}

TEST_F(Journals, RefuseDamageThatNoKillCanDo) {
  write("1.journal", "10 15 18 [[\"w\",1,1]]\nx\n10 15 18 []\nc 20\n");
  EXPECT_THAT(problem(), HasSubstr("1.journal:2: not the outcome of a transaction"));
  write("1.journal", "10 15 [[\"w\",1,1]]\nc 20\n");
  EXPECT_THAT(problem(), HasSubstr("1.journal:1: not the operations of a transaction"));
  write("1.journal", "10 15 18 [[\"w\",1,]]\nc 20\n");
  EXPECT_FALSE(read_history(path()));
}

}  // namespace
}  // namespace assay::test

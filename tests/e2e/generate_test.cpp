// `assay generate` as a user runs it: what goes where, and that a printed seed repeats the run.
#include "e2e/command.h"
#include "history_io/format.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class GenerateCommand : public Command {
 protected:
  int run(const std::string& arguments) { return assay("generate " + arguments); }
};

TEST_F(GenerateCommand, WritesAHistoryAndKeepsStandardOutputClean) {
  ASSERT_EQ(run("--isolation si --txns 50 --seed 1 " + file("h.jsonl")), 0) << err_;
  EXPECT_EQ(out_, "");
  EXPECT_EQ(err_, "");
  const auto history = read_history(file("h.jsonl"));
  ASSERT_TRUE(history);
  EXPECT_EQ(history->transaction_count(), 50u);
  EXPECT_EQ(history->session_count(), 8u);
}

TEST_F(GenerateCommand, RepeatsARunWithTheSeedItPrinted) {
  ASSERT_EQ(run("--txns 100 --unknown 0.1 -"), 0) << err_;
  const std::string first = out_;
  const std::string seed = err_.substr(err_.rfind(' ') + 1);
  ASSERT_EQ(run("--txns 100 --unknown 0.1 --seed " + seed.substr(0, seed.size() - 1) + " -"), 0) << err_;
  EXPECT_EQ(out_, first);
}

TEST_F(GenerateCommand, SaysWhatItInjected) {
  ASSERT_EQ(run("--inject lost-update --seed 1 " + file("h.jsonl")), 0) << err_;
  EXPECT_THAT(out_, StartsWith("injected lost-update: transactions "));
  ASSERT_EQ(run("--inject lost-update --seed 1 -"), 0) << err_;
  EXPECT_THAT(out_, StartsWith("{\"assay\""));
  EXPECT_THAT(err_, HasSubstr("injected lost-update: transactions "));
}

TEST_F(GenerateCommand, LetsOptionsOverrideThePreset) {
  ASSERT_EQ(run("--workload blindw --preset RM --txns 40 --sessions 4 --instants 0 " + file("h.hist")), 0)
      << err_;
  const auto history = read_history(file("h.hist"));
  ASSERT_TRUE(history);
  EXPECT_EQ(history->session_count(), 4u);
  EXPECT_EQ(history->transaction_count(), 40u);
  EXPECT_EQ(history->operation_count(), 40u * 8u);
  EXPECT_FALSE(history->has_instants());
}

TEST_F(GenerateCommand, RefusesNonsenseInOneLineAndWritesNothing) {
  for (const char* arguments :
       {"--sessions 0", "--isolation nonsense", "--inject nonsense", "--workload tatp", "--preset pred",
        "--distribution zipf:x", "--mix nonsense", "--instants 3"}) {
    EXPECT_EQ(run(arguments + (" " + file("h.jsonl"))), 2) << arguments;
    EXPECT_EQ(out_, "");
    EXPECT_THAT(err_, StartsWith("assay: "));
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;
    EXPECT_FALSE(std::filesystem::exists(file("h.jsonl")));
  }
}

}  // namespace
}  // namespace assay::test

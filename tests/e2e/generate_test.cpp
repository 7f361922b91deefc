// `assay generate` as a user runs it: what goes where, and that a printed seed repeats the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "history_io/format.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class GenerateCommand : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name) const { return directory_ / name; }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  // Leaves what the command printed in out_ and err_.
  int run(const std::string& arguments) {
    const std::string command =
        std::string(ASSAY_BINARY) + " generate " + arguments + " >" + file("stdout") + " 2>" + file("stderr");
    const int status = std::system(command.c_str());
    out_ = content(file("stdout"));
    err_ = content(file("stderr"));
    return WEXITSTATUS(status);
  }

  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() /
      (std::string("assay-generate-") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string out_, err_;
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
       {"--sessions 0", "--isolation nonsense", "--inject nonsense", "--workload tpcc", "--preset pred",
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

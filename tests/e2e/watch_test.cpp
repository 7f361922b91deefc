// `assay watch` as a user runs it: on files that grow, change and are cut off, and when it is killed.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "base/random.h"
#include "e2e/command.h"
#include "support/random.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kHeader = "{\"assay\":1,\"initial\":0}\n";

std::string transaction(int session, int number, long begin, long end, const std::string& ops) {
  return "{\"session\":" + std::to_string(session) + ",\"txn\":" + std::to_string(number) +
         ",\"begin\":" + std::to_string(begin) + ",\"end\":" + std::to_string(end) + ",\"ops\":[" + ops +
         "]}\n";
}

// Two transactions that both read 0 and overwrote it.
std::string lost_update(int number, long at, const std::string& key) {
  return transaction(1, number, at, at + 50, "[\"r\",\"" + key + "\",0],[\"w\",\"" + key + "\",1]") +
         transaction(2, number + 1, at + 10, at + 60, "[\"r\",\"" + key + "\",0],[\"w\",\"" + key + "\",2]");
}

class WatchCommand : public Command {
 protected:
  int watch(const std::string& arguments) {
    return assay("watch --violations " + file("found") + " " + arguments);
  }
  std::set<std::string> found() const {
    std::set<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(directory_ / "found", none))
      names.insert(entry.path().filename().string() + ": " + content(entry.path()));
    return names;
  }
  // How many transactions and violations the last line counts.
  static std::string summary_of(const std::string& text) {
    const std::string line = text.substr(text.rfind("assay: "));
    const std::size_t rate = line.find(" transactions, "), found = line.find("/s, ");
    return line.substr(0, rate) + line.substr(found, line.find(';', found) - found);
  }
  void append(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary | std::ios::app) << bytes;
  }

  // Runs beside the test.
  pid_t start(const std::vector<std::string>& arguments) const {
    fflush(nullptr);  // or the child writes it again
    const pid_t child = fork();
    if (child != 0) return child;
    std::vector<std::string> words{assay_binary(), "watch", "--violations", file("found")};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    if (freopen(file("stdout").c_str(), "a", stdout) == nullptr ||
        freopen(file("stderr").c_str(), "a", stderr) == nullptr)
      _exit(126);
    execv(argv[0], argv.data());
    _exit(127);
  }
  static int stop(pid_t child) {
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  bool appears(const std::string& name, std::string_view text, double seconds) const {
    for (double waited = 0; waited < seconds; waited += 0.02) {
      if (content(file(name)).find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
};

TEST_F(WatchCommand, ReportsAViolationWithItsLinesAndAHistoryThatShowsIt) {
  const std::string h = write("h.jsonl", std::string(kHeader) + transaction(3, 7, 0, 10, "[\"w\",\"y\",1]") +
                                             lost_update(1, 100, "x") + lost_update(3, 300, "z"));
  ASSERT_EQ(watch("--once --horizon 50ns --patience 100ns " + h), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("h.jsonl\tser\tviolated\tline 4\tlost-update\n"));
  EXPECT_THAT(out_, HasSubstr("h.jsonl\tser\tviolated\tline 6\tlost-update\n")) << "it goes on";
  EXPECT_THAT(err_, HasSubstr("2 violations"));
  EXPECT_EQ(assay("check --level strict-ser --skew 50 " + file("found/violation-4.jsonl")), 1);
  ASSERT_EQ(watch("--once --stop --json --batch 3 --horizon 50ns --patience 100ns " + h), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("\"anomaly\":\"lost-update\",\"line\":4,\"lines\":[3,4]"));
  EXPECT_THAT(out_, Not(HasSubstr("\"line\":6")));
}

TEST_F(WatchCommand, CountsAndNamesLinesThatItCannotJudge) {
  const std::string good = transaction(1, 2, 20, 30, "[\"r\",\"x\",1]");
  const std::string h = write("h.jsonl", std::string(kHeader) + transaction(1, 1, 0, 10, "[\"w\",\"x\",1]") +
                                             "{\"session\":1,\"txn\":9,\"ops\":[[\"r\"\n" + good + good +
                                             "{\"session\":1,\"txn\":10,\"ops\":[]}\n" +
                                             transaction(1, 3, 40, 50, "[\"r\",\"x\",1]"));
  EXPECT_EQ(watch("--once " + h), 2);
  EXPECT_THAT(err_, HasSubstr("h.jsonl:3: "));
  EXPECT_THAT(err_, HasSubstr("h.jsonl:5: ")) << "the same transaction twice";
  EXPECT_THAT(err_, HasSubstr("h.jsonl:6: a transaction without begin and end"));
  EXPECT_THAT(err_, HasSubstr("3 transactions, "));
  EXPECT_THAT(err_, HasSubstr("3 lines malformed"));
}

TEST_F(WatchCommand, SaysThatAReadIsOlderThanTheHorizon) {
  std::string text(kHeader);
  for (int i = 1; i <= 60; ++i)
    text += transaction(1, i, 100 * i, 100 * i + 50, "[\"w\",\"x\"," + std::to_string(i) + "]");
  text += transaction(2, 61, 6100, 6150, "[\"r\",\"x\",5]");
  const std::string h = write("h.jsonl", text);
  ASSERT_EQ(watch("--once --batch 10 --horizon 200ns --patience 200ns " + h), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("line 62\tthin-air\nNobody wrote this value within the horizon"));
}

TEST_F(WatchCommand, CountsATransactionThatIsReportedTooLate) {
  std::string text(kHeader);
  for (int i = 1; i <= 60; ++i)
    text += transaction(1, i, 100 * i, 100 * i + 50, "[\"w\",\"x\"," + std::to_string(i) + "]");
  text += transaction(2, 61, 10, 6150, "[\"r\",\"x\",5],[\"w\",\"y\",1]");
  text += transaction(3, 62, 6200, 6250, "[\"r\",\"y\",1],[\"r\",\"x\",60]");
  const std::string h = write("h.jsonl", text);
  EXPECT_EQ(watch("--once --batch 10 --horizon 200ns --patience 200ns " + h), 0) << out_;
  EXPECT_THAT(err_, HasSubstr("h.jsonl:62: late: "));
  EXPECT_THAT(err_, HasSubstr("1 transactions were reported too late"));
  EXPECT_THAT(err_, HasSubstr("1 reads of what late or retired transactions wrote were not judged"));
}

TEST_F(WatchCommand, CountsTransactionsWhereThereAreNoInstants) {
  std::string text(kHeader);
  const auto line = [&](int number, const std::string& ops) {
    text += "{\"session\":" + std::to_string(number) + ",\"ops\":[" + ops + "]}\n";
  };
  for (int i = 1; i <= 300; ++i) line(i, "[\"w\",\"x\"," + std::to_string(i) + "]");
  line(301, "[\"r\",\"x\",285]");
  const std::string h = write("h.jsonl", text);
  EXPECT_EQ(watch("--once --batch 50 --horizon 20 " + h), 0) << out_;
  EXPECT_EQ(watch("--once --batch 50 --horizon 5 " + h), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("violated\tline 302\t"));
}

TEST_F(WatchCommand, RefusesLevelsAtWhichNothingCouldBeForgotten) {
  write("h.jsonl", kHeader);
  EXPECT_EQ(watch("--once --level cc " + file("h.jsonl")), 2);
  EXPECT_THAT(err_, HasSubstr("cc lets a transaction read a state of any age"));
}

TEST_F(WatchCommand, FollowsAFileThatGrowsAndIsRotated) {
  write("h.jsonl", std::string(kHeader) + transaction(3, 7, 0, 10, "[\"w\",\"y\",1]"));
  const pid_t child = start({"--horizon", "100ns", "--metrics", file("metrics"), file("h.jsonl")});
  ASSERT_TRUE(appears("stderr", "watching", 10));
  const std::string two = lost_update(1, 100, "x");
  append("h.jsonl", two.substr(0, two.size() / 2));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  append("h.jsonl", two.substr(two.size() / 2));
  const auto completed = std::chrono::steady_clock::now();
  EXPECT_TRUE(appears("stdout", "line 4\tlost-update", 10));
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - completed).count(), 2);
  std::filesystem::rename(file("h.jsonl"), file("h.jsonl.1"));
  write("h.jsonl", lost_update(3, 300, "z"));
  EXPECT_TRUE(appears("stdout", "line 6\tlost-update", 10));
  EXPECT_TRUE(appears("metrics", "assay_watch_violations_total{level=\"ser\"} 2\n", 10));
  EXPECT_EQ(stop(child), 1);
  EXPECT_THAT(content(file("stderr")), HasSubstr("was rotated"));
}

TEST_F(WatchCommand, ReadsTheJournalsOfARun) {
  std::filesystem::create_directory(file("run"));
  write("run/header.json", kHeader);
  write("run/1.journal", "100 - - [[\"r\",\"x\",0],[\"w\",\"x\",1]]\nc 150\n" + std::string(100, '\0'));
  write("run/2.journal", "110 - - [[\"r\",\"x\",0],[\"w\",\"x\",2]]\nc 160\n200 - - [[\"w\",\"z\",1]]\n");
  EXPECT_EQ(watch("--once --horizon 100ns " + file("run")), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("lost-update"));
  EXPECT_THAT(err_, HasSubstr("3 transactions, "));
}

TEST_F(WatchCommand, JudgesARunWhileItRuns) {
  const std::string run =
      "run --db simulated:si --isolation si --watch --horizon 10s --quiet --txns 400 --keys 20 ";
  ASSERT_EQ(assay(run + "--check si --seed 1 -o " + file("h.jsonl")), 0) << err_;
  EXPECT_THAT(err_, HasSubstr("assay: 400 transactions, "));
  EXPECT_THAT(out_, HasSubstr("\tsi\tholds\t"));
  EXPECT_EQ(assay(run + "--check rc --seed 1 -o " + file("h2.jsonl")), 2);
  EXPECT_THAT(err_, HasSubstr("rc lets a transaction read a state of any age"));
}

TEST_F(WatchCommand, FindsTheSameAfterBeingKilledAHundredTimes) {
  ASSERT_EQ(assay("generate --isolation si --keys 60 --txns 6000 --sessions 6 --seed 3 " + file("h.jsonl")),
            0);
  const std::string common = "--quiet --once --horizon 1ms --patience 1ms --batch 150 " + file("h.jsonl");
  ASSERT_EQ(watch(common), 1) << err_;
  const std::string summary = summary_of(err_);
  const auto whole = found();
  ASSERT_GT(whole.size(), 5u);
  std::filesystem::remove_all(file("found"));

  Random random(suite_seed("watch-kill"));
  int kills = 0;
  for (int round = 0; kills < 100; ++round) {
    ASSERT_LT(round, 1000);
    const pid_t child = start({"--quiet", "--once", "--horizon", "1ms", "--patience", "1ms", "--batch", "150",
                               "--state", file("state"), file("h.jsonl")});
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + random.below(60)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      ++kills;
      continue;
    }
    EXPECT_EQ(WEXITSTATUS(status), 1) << content(file("stderr"));
    EXPECT_EQ(found(), whole) << "after " << kills;
    std::filesystem::remove_all(file("found"));
    std::filesystem::remove(file("state"));
  }
  ASSERT_EQ(watch("--state " + file("state") + " " + common), 1) << err_;
  EXPECT_EQ(found(), whole);
  EXPECT_EQ(summary_of(err_), summary);
}

}  // namespace
}  // namespace assay::test

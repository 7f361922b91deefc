// `assay run` as a user runs it: verdict, files, what a killed run leaves, and no passwords anywhere.
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "e2e/command.h"
#include "history_io/format.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RunCommand : public Command {
 protected:
  int run(const std::string& arguments) { return assay("run " + arguments); }
};

TEST_F(RunCommand, NeedsNoArguments) {
  ASSERT_EQ(run(""), 0) << err_;
  EXPECT_THAT(out_, StartsWith("sqlite:\tser\tholds\t"));
  EXPECT_THAT(err_, HasSubstr("assay: SQLite "));
  EXPECT_THAT(err_, HasSubstr(" 5,000 transactions in "));
}

TEST_F(RunCommand, KeepsTheHistoryWhereItIsTold) {
  ASSERT_EQ(run("--txns 300 --keys 20 --seed 5 -o " + file("h.jsonl")), 0) << err_;
  EXPECT_THAT(out_, StartsWith(file("h.jsonl") + "\tser\tholds\t"));
  EXPECT_FALSE(std::filesystem::exists(file("h.jsonl.journals")));
  const auto history = read_history(file("h.jsonl"));
  ASSERT_TRUE(history) << history.error().describe();
  EXPECT_EQ(history->transaction_count(), 300u);
  EXPECT_THAT(history->note(), HasSubstr("serializable, --sessions 8 --txns 300 --ops 8 --keys 20, seed 5"));
  ASSERT_EQ(run("--workload append --txns 300 -o " + file("h.edn.gz")), 0) << err_;
  EXPECT_EQ(read_history(file("h.edn.gz"))->transaction_count(), 300u);
}

TEST_F(RunCommand, CatchesAWeakDatabaseAndKeepsWhatItSaw) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_);
  ASSERT_EQ(run("--db simulated:rc --check si --seed 9 --report " + file("r.html")), 1) << err_;
  EXPECT_THAT(out_, StartsWith("simulated:rc\tsi\tviolated\t"));
  EXPECT_THAT(err_, HasSubstr("the history is kept as assay-run-9.jsonl"));
  EXPECT_EQ(assay("check --quiet --level si assay-run-9.jsonl"), 1);
  EXPECT_TRUE(std::filesystem::exists(file("r.html")));
  std::filesystem::current_path(before);
}

TEST_F(RunCommand, SpeaksJson) {
  ASSERT_EQ(run("--db simulated:si --workload smallbank --keys 5 --txns 2000 --check si,ra --json"), 0)
      << err_;
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["history"], "simulated:si");
  EXPECT_EQ(json["results"].size(), 2u);
}

TEST_F(RunCommand, JudgesEverySchedule) {
  const std::string schedules =
      write("s.txt", "lost | R1[x] R2[x] W1[x] W2[x] C1 C2\nfine | W1[x] C1 R2[x] C2\n");
  EXPECT_EQ(run("--db simulated:rc --check si --quiet --schedules " + schedules + " -o " + file("out")), 1)
      << err_;
  EXPECT_THAT(out_, HasSubstr(file("out/lost.jsonl") + "\tsi\tviolated\t"));
  EXPECT_THAT(out_, HasSubstr(file("out/fine.jsonl") + "\tsi\tholds\t"));
  EXPECT_EQ(assay("check --quiet --level si " + file("out/lost.jsonl")), 1);
  EXPECT_EQ(run("--workload hermitage --quiet"), 0) << err_;
  EXPECT_EQ(std::ranges::count(out_, '\n'), 14);
}

// The note of a history spells the workload in options; these make the same histories as what they spell.
TEST_F(RunCommand, SpellsTheWorkloadSoThatItCanBeRunAgain) {
  for (const std::string options :
       {"", "--workload general --preset HD", "--workload blindw --preset RM",
        "--workload blindw --preset pred --keys 40", "--workload range --mix mixed",
        "--workload range --preset IDH", "--workload append --ops 3", "--workload twitter --keys 50",
        "--workload smallbank --keys 5", "--distribution zipf:1.2 --reads 0.7",
        "--mix split --distinct --ops 4 --duplicates 0.5 --rmw 0 --distribution hotspot"}) {
    ASSERT_EQ(run("--db simulated:ser --txns 20 --seed 1 -o " + file("h.jsonl") + " " + options), 0) << err_;
    const std::string note = read_history(file("h.jsonl"))->note();
    const std::size_t begin = note.find("--"), end = note.rfind(", seed 1");
    ASSERT_TRUE(begin != note.npos && end != note.npos) << note;
    ASSERT_EQ(assay("generate --txns 20 --seed 1 " + file("a.jsonl") + " " + options), 0) << err_;
    ASSERT_EQ(assay("generate --seed 1 " + file("b.jsonl") + " " + note.substr(begin, end - begin)), 0)
        << note << err_;
    const auto transactions = [](const std::string& text) { return text.substr(text.find('\n')); };
    EXPECT_EQ(transactions(content(file("a.jsonl"))), transactions(content(file("b.jsonl")))) << note;
  }
}

TEST_F(RunCommand, SaysOnItsPageWhatRanAndHowToRepeatIt) {
  ASSERT_EQ(run("--txns 100 --report " + file("r.html")), 0) << err_;
  const std::string seed =
      err_.substr(err_.find("seed ") + 5, err_.find(':', err_.find("seed ")) - err_.find("seed ") - 5);
  const std::string page = content(file("r.html"));
  EXPECT_THAT(page, HasSubstr("\"seed\":" + seed));
  EXPECT_THAT(page, HasSubstr(" --seed " + seed + "\""));
  EXPECT_THAT(page, HasSubstr("serializable, --sessions 8 --txns 100 --ops 8 --keys 100, seed " + seed));
}

TEST_F(RunCommand, RefusesNonsenseInOneLine) {
  for (const char* arguments :
       {"--db oracle://x", "--db nonsense", "--isolation chaos", "--check nonsense", "--workload nonsense",
        "--sessions 0", "--db simulated:gsi", "--db sqlite:/nonexistent/x", "--workload twitter --ops 3",
        "-o h.unknown", "--seconds -1", "--schedules /nonexistent", "--certificate c.txt",
        "--faults nonsense", "--faults kill-server"}) {
    EXPECT_EQ(run(arguments), 2) << arguments;
    EXPECT_EQ(out_, "");
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;
  }
}

TEST_F(RunCommand, LeavesReadableJournalsWhenItIsKilled) {
  const std::string command = "TMPDIR=" + directory_.string() + " " + assay_binary() +
                              " run --workload smallbank --keys 10 --seconds 60 -o " + file("h.jsonl") +
                              " 2>/dev/null & echo $! >" + file("pid");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string journals = file("h.jsonl.journals");
  for (int i = 0; i < 200 && !std::filesystem::exists(journals + "/1.journal"); ++i) usleep(20000);
  usleep(500000);
  ASSERT_EQ(kill(std::stoi(content(file("pid"))), SIGKILL), 0);
  usleep(100000);
  EXPECT_FALSE(std::filesystem::exists(file("h.jsonl")));
  ASSERT_EQ(assay("check " + journals), 0) << out_ << err_;
  ASSERT_EQ(assay("convert " + journals + " " + file("saved.jsonl")), 0) << err_;
  EXPECT_GT(read_history(file("saved.jsonl"))->transaction_count(), 100u);
}

TEST_F(RunCommand, EndsEarlyOnCtrlCAndJudgesWhatItHas) {
  for (const char* hunt : {"", " --until-violation"}) {
    const std::string command = "timeout -s INT 2 " + assay_binary() +
                                " run --seconds 60 --txns 1000000 --think-time 5 -o " + file("h.jsonl") +
                                hunt + " >" + file("out") + " 2>" + file("err");
    EXPECT_THAT(WEXITSTATUS(std::system(command.c_str())), AnyOf(124, 0));  // 124: timeout's own
    EXPECT_THAT(content(file("err")), HasSubstr("interrupted: this is about what was recorded until then"));
    EXPECT_THAT(content(file("out")), HasSubstr("\tser\tholds\t")) << hunt;
    EXPECT_EQ(assay("check --quiet " + file("h.jsonl")), 0) << err_;
  }
}

TEST_F(RunCommand, KeepsAHistoryThatItCouldNotJudge) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_);
  EXPECT_EQ(run("--txns 3000 --timeout 0 --seed 4 --quiet"), 3) << out_ << err_;
  EXPECT_THAT(err_, HasSubstr("the history is kept as assay-run-4.jsonl"));
  EXPECT_EQ(read_history("assay-run-4.jsonl")->transaction_count(), 3000u);
  std::filesystem::current_path(before);
}

TEST_F(RunCommand, ShowsAPasswordNowhere) {
  EXPECT_EQ(run("--db sqlite://joe:hunter2@" + file("x.db") + " -o " + file("h.jsonl") + " --report " +
                file("r.html")),
            2);
  EXPECT_THAT(out_ + err_, Not(HasSubstr("hunter2")));
  ASSERT_EQ(run("--db 'sqlite:" + file("x.db") + "?password=hunter2' --txns 100 -o " + file("h.jsonl") +
                " --report " + file("r.html")),
            0)
      << err_;
  EXPECT_THAT(out_ + err_ + content(file("h.jsonl")) + content(file("r.html")), Not(HasSubstr("hunter2")));
  const std::string command = assay_binary() +
                              " run --db 'sqlite:?password=hunter2' --seconds 1 2>/dev/null >&2 & "
                              "sleep 0.5; tr '\\0' ' ' </proc/$!/cmdline >" +
                              file("title") + "; wait $!";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(content(file("title")), HasSubstr("run --db sqlite:?password=***"));
  EXPECT_THAT(content(file("title")), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace assay::test

// Judging many histories: which ones, in processes of their own, and nothing lost when one dies.
#include "sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/hist.h"
#include "sweep/pool.h"
#include "sweep/summary.h"

namespace assay::sweep {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr std::string_view kHolds = "S1: w(x,1) S2: r(x,1)\n";
constexpr std::string_view kSkew = "S1: <T1> r(x,0) w(y,1) S2: <T2> r(y,0) w(x,1)\n";

class Sweep : public testing::Test {
 protected:
  Sweep() {
    std::string name = std::filesystem::temp_directory_path() / "assay-sweep-XXXXXX";
    folder_ = mkdtemp(name.data());
    options_.judge.levels = {Level::Ser, Level::Si};
    options_.processes = 3;
    options_.on_result = [this](const HistoryResult& result) { results_.push_back(result); };
  }
  ~Sweep() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = std::filesystem::path(folder_) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  std::vector<std::string> found(const std::vector<std::string>& paths) const {
    std::vector<std::string> names;
    const auto inputs = find_histories(paths, nullptr);
    for (const Input& input : inputs.value())
      names.push_back(std::filesystem::proximate(input.path, folder_).string());
    return names;
  }
  // The results of everything in the folder, by path.
  std::vector<HistoryResult> swept() {
    results_.clear();
    const auto inputs = find_histories({folder_}, nullptr);
    const auto done = sweep(inputs.value(), options_);
    EXPECT_TRUE(done) << done.error().describe();
    std::ranges::sort(results_, {}, [](const HistoryResult& r) { return r.input.path; });
    return results_;
  }

  std::string folder_;
  SweepOptions options_;
  std::vector<HistoryResult> results_;
};

std::vector<std::string> verdicts(const HistoryResult& result) {
  std::vector<std::string> all;
  for (const LevelResult& level : result.levels) all.push_back(level.level + " " + level.verdict);
  return all;
}

TEST_F(Sweep, FindsHistoriesByTheirContentInAllFolders) {
  write("b/two.hist", kHolds);
  write("a.hist", kHolds);
  write("b/deep/er/three.txt", kHolds);
  write("b/.hidden.hist", kHolds);
  write("notes.csv", "time,value\n1,2\n");
  std::filesystem::create_directory_symlink(std::filesystem::path(folder_) / "b",
                                            std::filesystem::path(folder_) / "latest");
  EXPECT_THAT(found({folder_}), ElementsAre("a.hist", "b/deep/er/three.txt", "b/two.hist"));
  std::vector<std::string> left_out;
  ASSERT_TRUE(find_histories({folder_}, nullptr, &left_out));
  EXPECT_THAT(left_out, ElementsAre(folder_ + "/notes.csv"));
  EXPECT_THAT(found({folder_, folder_ + "/b/two.hist"}),
              ElementsAre("a.hist", "b/deep/er/three.txt", "b/two.hist"))
      << "one that is named twice is judged once";
  EXPECT_THAT(found({folder_ + "/notes.csv"}), ElementsAre("notes.csv")) << "a file that was named is judged";
  EXPECT_FALSE(find_histories({folder_ + "/none"}, nullptr));
}

TEST_F(Sweep, TakesALogDirectoryForOneHistory) {
  const History history = test::hist("S1: r(1,0) w(1,7) S2: r(1,7)");
  const Format* cobra = find_format("cobra");
  ASSERT_TRUE(write_history(history, folder_ + "/logs", *cobra));
  EXPECT_THAT(found({folder_}), ElementsAre("logs"));
  EXPECT_THAT(verdicts(swept()[0]), ElementsAre("ser holds", "si holds"));
}

TEST_F(Sweep, ShardsAreDisjointAndCompleteWhateverTheirNumber) {
  for (int i = 0; i < 10; ++i) write("h" + std::to_string(i) + ".hist", kHolds);
  const auto inputs = find_histories({folder_}, nullptr);
  for (const std::size_t of : {1, 2, 3, 7, 12}) {
    std::vector<std::string> all;
    for (std::size_t number = 1; number <= of; ++number)
      for (const Input& input : part_of(inputs.value(), {number, of})) all.push_back(input.path);
    std::ranges::sort(all);
    EXPECT_EQ(all.size(), 10u) << of;
    EXPECT_EQ(std::ranges::unique(all).begin(), all.end()) << of;
  }
  for (const char* wrong : {"", "0/3", "4/3", "1", "1/", "/2", "1/2x", "-1/2"})
    EXPECT_FALSE(parse_shard(wrong)) << wrong;
}

TEST_F(Sweep, JudgesEachHistoryAtEveryLevel) {
  write("holds.hist", kHolds);
  write("skew.hist", kSkew);
  write("broken.hist", "S1: r(x\n");
  const auto results = swept();
  ASSERT_EQ(results.size(), 3u);
  EXPECT_THAT(results[0].problem, HasSubstr("broken.hist:1: "));
  EXPECT_THAT(results[0].levels, IsEmpty());
  EXPECT_THAT(verdicts(results[1]), ElementsAre("ser holds", "si holds"));
  EXPECT_THAT(verdicts(results[2]), ElementsAre("ser violated", "si holds"));
  EXPECT_EQ(results[2].levels[0].anomaly, "write-skew");
  EXPECT_THAT(results[2].levels[0].text, HasSubstr("T1"));
  EXPECT_EQ(results[2].transactions, 2u);
}

TEST_F(Sweep, WritesAPageForEachViolation) {
  write("a/skew.hist", kSkew);
  write("b/skew.hist", kSkew);
  write("holds.hist", kHolds);
  options_.folder = folder_ + "/.out";
  const auto results = swept();
  ASSERT_EQ(results.size(), 3u);
  EXPECT_NE(results[0].page, results[1].page);
  EXPECT_EQ(results[2].page, "");
  for (const int i : {0, 1}) {
    std::ifstream page(options_.folder + "/" + results[i].page);
    const std::string text(std::istreambuf_iterator<char>(page), {});
    EXPECT_THAT(text, AllOf(HasSubstr("<html"), HasSubstr("write-skew")));
  }
  EXPECT_THAT(index_page(results, {"1", "assay sweep"}),
              AllOf(HasSubstr("href=\"" + results[0].page + "\""), HasSubstr("3 histories: 1 satisfied"),
                    HasSubstr("write-skew: in 2 histories")));
}

// The child that has this history is killed: the others are judged all the same.
TEST_F(Sweep, LosesOnlyTheHistoryWhoseProcessDied) {
  for (int i = 0; i < 20; ++i) write("h" + std::to_string(i) + ".hist", kHolds);
  std::vector<std::size_t> lost;
  std::size_t answered = 0;
  Work work{.pieces = 20, .processes = 3};
  work.run = [](std::size_t piece) {
    if (piece == 3) ::kill(::getpid(), SIGKILL);
    if (piece % 7 == 3) ::_exit(7);
    return "answer " + std::to_string(piece);
  };
  std::string reasons;
  work.done = [&](std::size_t piece, std::optional<std::string> answer, const std::string& how) {
    if (answer) {
      EXPECT_EQ(*answer, "answer " + std::to_string(piece));
      ++answered;
      return;
    }
    lost.push_back(piece);
    reasons += how + "\n";
  };
  ASSERT_TRUE(run_in_processes(work));
  EXPECT_THAT(lost, UnorderedElementsAre(3, 10, 17));
  EXPECT_EQ(answered, 17u);
  EXPECT_THAT(reasons,
              AllOf(HasSubstr("signal 9"), HasSubstr("was memory short?"), HasSubstr("ended with 7")));
}

TEST_F(Sweep, EndsAtOnceWhenItIsStopped) {
  std::size_t answered = 0;
  Work work{.pieces = 4, .processes = 2};
  work.run = [](std::size_t piece) {
    if (piece > 0) ::sleep(60);
    return std::string("done");
  };
  work.done = [&](std::size_t, std::optional<std::string> answer, const std::string&) {
    answered += answer.has_value();
  };
  work.stop = [&] { return answered > 0; };
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(run_in_processes(work));
  EXPECT_EQ(answered, 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(Sweep, GoesOnWithWhatIsNotKnownYet) {
  write("a.hist", kHolds);
  write("b.hist", kSkew);
  const auto first = swept();
  const auto inputs = find_histories({folder_}, nullptr).value();
  std::vector<Input> left;
  EXPECT_EQ(results_about(inputs, first, "ser,si", left).size(), 2u);
  EXPECT_THAT(left, IsEmpty());
  EXPECT_THAT(results_about(inputs, first, "ser", left), IsEmpty()) << "another request";
  EXPECT_EQ(left.size(), 2u);
  write("b.hist", std::string(kSkew) + " ");
  left.clear();
  EXPECT_EQ(results_about(find_histories({folder_}, nullptr).value(), first, "ser,si", left).size(), 1u);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_THAT(left[0].path, HasSubstr("b.hist")) << "it changed";
}

TEST_F(Sweep, ResultsSurviveTheirFile) {
  write("skew.hist", kSkew);
  write("bad.hist", "S1: r(x\n");
  std::string text;
  for (const HistoryResult& result : swept()) text += as_line(result) + "\n";
  const std::string file = write(".results", text);
  const auto again = read_results(file).value();
  EXPECT_FALSE(again.dropped);
  ASSERT_EQ(again.all.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(as_line(again.all[i]), as_line(results_[i]));

  const std::string cut = write(".cut", text.substr(0, text.size() - 1));
  const auto shorter = read_results(cut).value();
  EXPECT_TRUE(shorter.dropped) << "a line without its end may be incomplete";
  EXPECT_EQ(shorter.all.size(), 1u);
  EXPECT_EQ(shorter.whole_bytes, as_line(results_[0]).size() + 1);

  const auto damaged = read_results(write(".damaged", "{}\n" + text));
  ASSERT_FALSE(damaged);
  EXPECT_THAT(damaged.error().describe(), HasSubstr(".damaged:1: no result of a sweep"));
}

TEST_F(Sweep, SummaryCountsHistoriesByTheWorst) {
  write("a.hist", kHolds);
  write("b.hist", kSkew);
  write("c.hist", "S1: r(x\n");
  const auto results = swept();
  EXPECT_EQ(as_table(summarise(results)),
            "3 histories: 1 satisfied what was asked, 1 violated, 0 undecided, 1 not judged; 4 transactions\n"
            "level             holds  violated  undecided\n"
            "ser                   1         1          0\n"
            "si                    2         0          0\n"
            "write-skew: in 1 history\n");
  const std::string xml = junit_file(junit_suites(results));
  EXPECT_THAT(xml, AllOf(HasSubstr("<failure message=\"ser is violated: write-skew\""),
                         HasSubstr("type=\"input\""), HasSubstr("name=\"si\"")));
}

TEST_F(Sweep, PagesEscapeNamesOfFiles) {
  write("<b>&\"skew\".hist", kSkew);
  options_.folder = folder_ + "/.out";
  const std::string page = index_page(swept(), {"1", "assay sweep"});
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;b&gt;&amp;"), Not(HasSubstr("<b>&"))));
}

}  // namespace
}  // namespace assay::sweep

// The published anomaly sequences: what the oracle says of each is the table in docs/anomalies.md, and
// check() says the same.
//
//     ASSAY_WRITE_SEQUENCES=1 build/test/tests/test_corpus_tests --gtest_filter='Sequences.*'      writes the
//     table
#include "corpus_tests/sequences.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "check/predicates.h"
#include "history/describe.h"
#include "support/evidence.h"
#include "support/oracle_level.h"
#include "support/paths.h"

namespace assay::test {
namespace {

constexpr std::string_view kBegin = "<!-- sequences -->\n", kEnd = "<!-- end of sequences -->\n";
const std::string kDocument = source_dir() + "/docs/anomalies.md";

const std::vector<Sequence>& sequences() {
  static const std::vector<Sequence> all = [] {
    auto read = published_sequences();
    if (!read) ADD_FAILURE() << read.error().describe();
    return read ? *std::move(read) : std::vector<Sequence>();
  }();
  return all;
}

std::string operations(const History& history, std::string_view transaction) {
  std::string text;
  for (const TxnId t : history.transactions())
    if (history.display(t) == transaction)
      for (const OpId op : history.operations(t)) text += (text.empty() ? "" : " ") + describe(history, op);
  return text;
}

TEST(Replay, ShowsTheLatestWriteOfAnybody) {
  const auto read = replay("dirty | init x,z | I1[y1] PR2{k>0 and k<2} W1[x1] R2[x0] A1 R2[x0] PR2{v=0} C2");
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(operations(read->history, "T1"), "insert(1,0) w(0,1)");
  EXPECT_EQ(operations(read->history, "T2"),
            "select(key > 0 and key < 2,[1=0]) r(0,1) r(0,0) select(value = 0,[0=0 2=0])");
  EXPECT_EQ(read->history.outcome(TxnId(0)), Outcome::Aborted);
}

TEST(Replay, KeepsWhatOthersWroteOverAnAbortedWrite) {
  const auto read = replay("overwritten | init x | W1[x1] D2[x2] A1 R2[x2] C2");
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(operations(read->history, "T2"), "delete(0,true) r(0,null)");
}

TEST(Replay, SaysWhatItDoesNotUnderstand) {
  for (const char* line :
       {"a | init x", "a | x | C1", "a | init q | C1", "a | init x | W1[q1] C1", "a | init x | X1[x1] C1",
        "a | init x | PR1{colour = 1} C1", "a | init x | W1[ C1"})
    EXPECT_FALSE(replay(line).has_value()) << line;
}

std::string class_of(const Sequence& sequence) { return sequence.name.substr(0, 3); }

using Counts = std::map<oracle::Level, std::size_t>;

std::string levels_that_hold(const History& history, Counts& count) {
  std::string text;
  std::size_t holding = 0;
  for (const oracle::Level level : oracle::kLevels) {
    if (!oracle::allows(history, level)) continue;
    text += (text.empty() ? "" : " ") + std::string(oracle::id(level));
    ++holding;
    ++count[level];
  }
  return holding == 0 ? "none" : holding == oracle::kLevels.size() ? "all" : text;
}

std::string table() {
  const std::pair<std::string, std::string> classes[] = {
      {"rat", "RAT: a read of what is not committed closes the circle"},
      {"wat", "WAT: a write over what is not committed closes the circle"},
      {"iat", "IAT: circles of transactions that read and wrote what was committed"}};
  std::string counts = "| class | sequences |", line = "|---|---|", rows, body;
  for (const oracle::Level level : oracle::kLevels) {
    counts += fmt::format(" {} |", oracle::id(level));
    line += "---|";
  }
  const auto count_row = [](const std::string& name, std::size_t sequences, Counts& allowed) {
    std::string row = fmt::format("| {} | {} |", name, sequences);
    for (const oracle::Level level : oracle::kLevels) row += fmt::format(" {} |", allowed[level]);
    return row + "\n";
  };
  for (const auto& [prefix, title] : classes) {
    Counts allowed, looked_at;
    std::size_t number = 0;
    body += fmt::format(
        "\n### {}\n\n| sequence | rows | steps | allowed by | and after a last look "
        "|\n|---|---|---|---|---|\n",
        title);
    for (const Sequence& sequence : sequences()) {
      if (class_of(sequence) != prefix) continue;
      ++number;
      const std::string levels = levels_that_hold(sequence.history, allowed);
      const std::string after = levels_that_hold(sequence.looked_at, looked_at);
      body += fmt::format("| {} | {} | `{}` | {} | {} |\n", sequence.name.substr(4), sequence.start,
                          sequence.steps, levels, after == levels ? "the same" : after);
    }
    rows += count_row(prefix, number, allowed) + count_row(prefix + ", after a last look", number, looked_at);
  }
  return counts + "\n" + line + "\n" + rows + body;
}

std::string document() {
  std::ifstream file(kDocument);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Sequences, AreJudgedByTheOracleAsTheTableSays) {
  EXPECT_EQ(sequences().size(), 103u);
  std::string text = document();
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  ASSERT_TRUE(begin != text.npos && end != text.npos);
  const std::string made = table();
  if (std::getenv("ASSAY_WRITE_SEQUENCES") != nullptr) {
    text.replace(begin + kBegin.size(), end - begin - kBegin.size(), made);
    std::ofstream(kDocument) << text;
  } else {
    EXPECT_EQ(text.substr(begin + kBegin.size(), end - begin - kBegin.size()), made);
  }
}

// What was published of them: seen to their end, almost all are not serializable.
TEST(Sequences, AreRarelySerializableSeenToTheirEnd) {
  for (const Sequence& sequence : sequences()) {
    const bool only_writes =
        sequence.steps.find('R') == std::string::npos && sequence.name.starts_with("wat_sda");
    const bool sees_its_own = sequence.name.starts_with("wat_sda_lost_self_update_committed_pred");
    const bool sees_the_other = sequence.name.ends_with("intersecting_data");  // before it commits
    EXPECT_EQ(oracle::allows(sequence.looked_at, oracle::Level::strict_ser),
              only_writes || sees_its_own || sees_the_other)
        << sequence.name;
  }
}

std::size_t compare_with_oracle(const std::string& name, const History& history) {
  std::size_t judged = 0;
  PredicateChecker checker(history);
  for (const LevelRow& level : levels()) {
    const auto verdict = checker.judge(level.level);
    if (!verdict) continue;  // it has no clocks
    ++judged;
    SCOPED_TRACE(name + " at " + std::string(level.id));
    EXPECT_EQ(std::holds_alternative<Holds>(*verdict), oracle::allows(history, of_oracle(level.level)));
    const auto certified = certify_as_text(history, checker.section());
    EXPECT_TRUE(certified) << certified.error().describe();
  }
  return judged;
}

TEST(Sequences, AreJudgedByTheCheckerAsTheOracleDoes) {
  std::size_t judged = 0;
  for (const Sequence& sequence : sequences()) {
    judged += compare_with_oracle(sequence.name, sequence.history);
    judged += compare_with_oracle(sequence.name + " and a last look", sequence.looked_at);
  }
  EXPECT_GE(judged, 2 * 100 * levels().size());
}

}  // namespace
}  // namespace assay::test

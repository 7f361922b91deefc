// The cases that Elle's own tests hold it to, and those of elle-cli, as facts: the history, and what Elle
// says of it. Assay must agree on each verdict, and on the kind of anomaly where the case names one, or the
// case says why not.
//
// Sources: jepsen-io/elle, test/elle/list_append_test.clj and rw_register_test.clj; ligurio/elle-cli,
// histories and test/test-data. Elle's models are these levels: read-committed is pl-2, snapshot-isolation is
// adya-si, serializable is plain-ser, strong-session-snapshot-isolation is si, strong-session-serializable is
// ser, strong-snapshot-isolation is strong-si, and strict-serializable is strict-ser.
#include <gtest/gtest.h>

#include "isolation/level_list.h"
#include "judge/judge.h"
#include "report/text.h"

namespace assay {
namespace {

// Operations, one a line: process, type, value. With `Pairs`, each has an invocation right before it.
enum class Events { Completions, Pairs, AsTheyAre };

std::string edn(std::string_view lines, Events events, std::string_view f) {
  std::string text;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (line.empty()) continue;
    const std::size_t type = line.find(' ') + 1, value = line.find(' ', type) + 1;
    const std::string process(line.substr(0, type - 1));
    const auto map = [&](std::string_view kind) {
      text += "{:process " + process + " :type :" + std::string(kind) +
              (f.empty() ? "" : " :f :" + std::string(f)) + " :value " + std::string(line.substr(value)) +
              "}\n";
    };
    if (events == Events::Pairs) {
      text += "{:process " + process + " :type :invoke" + (f.empty() ? "" : " :f :" + std::string(f)) + "}\n";
    }
    map(line.substr(type, value - type - 1));
  }
  return text;
}

std::string verdict(const std::string& text, std::string_view level) {
  auto history = read_history(ByteSource::from_memory("case", text));
  if (!history) return "refused: " + history.error().what;
  JudgeOptions options;
  options.levels = parse_levels(level).value().levels;
  options.explain = false;
  const auto findings = judge(std::move(history).value(), "case", "elle", options);
  if (!findings) return findings.error().describe();
  if (findings->levels.empty()) return "not judged: " + findings->refused.at(0).why.what;
  return std::string(word(findings->levels.at(0).verdict));
}

// The name that Elle has for the anomaly of this level; ours if it has none, or a verdict.
std::string kind_in_elle(const std::string& text, Level level) {
  auto history = read_history(ByteSource::from_memory("case", text));
  if (!history) return "refused: " + history.error().what;
  JudgeOptions options;
  options.levels = {level};
  options.explain = false;
  const auto findings = judge(std::move(history).value(), "case", "elle", options);
  if (!findings || findings->levels.empty()) return "not judged";
  const auto* violated = std::get_if<Violated>(&findings->levels.at(0).verdict);
  if (violated == nullptr || !violated->anomaly) return std::string(word(findings->levels.at(0).verdict));
  return name_in(NameStyle::Elle, *violated->anomaly, anomaly_name(*violated));
}

// `kind`: what Elle calls the anomaly, of the first level that is violated.
void expect(std::string_view lines, Events events, std::string_view holds, std::string_view violated,
            std::string_view f = "", std::string_view kind = "") {
  const std::string text = edn(lines, events, f);
  if (!kind.empty()) {
    EXPECT_EQ(kind_in_elle(text, parse_levels(violated).value().levels.front()), kind) << text;
  }
  for (const auto& [levels, expected] : {std::pair(holds, "holds"), std::pair(violated, "violated")}) {
    if (levels.empty()) continue;
    const LevelList wanted = parse_levels(levels).value();
    for (const Level level : wanted.levels)
      EXPECT_EQ(verdict(text, id(level)), expected) << id(level) << " of\n" << text;
  }
}

TEST(ElleListAppend, G0) {
  expect(
      "0 ok [[:append :x 1] [:append :y 1]]\n0 ok [[:append :x 2] [:append :y 2]]\n"
      "0 ok [[:r :x [1 2]] [:r :y [2 1]]]",
      Events::Completions, "", "pl-2,plain-ser", "", "G0");
}
TEST(ElleListAppend, G1a) {
  expect("0 fail [[:append :x 1]]\n0 ok [[:r :x [1]]]", Events::Completions, "", "pl-2,plain-ser", "", "G1a");
}
TEST(ElleListAppend, G1b) {
  expect("0 ok [[:append :x 1] [:append :x 2]]\n0 ok [[:r :x [1]]]", Events::Pairs, "", "pl-2,strict-ser", "",
         "G1b");
}
TEST(ElleListAppend, G1c) {
  expect(
      "0 ok [[:append :x 1] [:r :y [1]]]\n0 ok [[:append :x 2] [:append :y 1]]\n0 ok [[:r :x [1 2]] [:r :y "
      "[1]]]",
      Events::Completions, "", "pl-2", "", "G1c");
}
TEST(ElleListAppend, GSingle) {
  expect("0 ok [[:append :x 1] [:append :y 1]]\n1 ok [[:append :x 2] [:r :y nil]]\n2 ok [[:r :x [1 2]]]",
         Events::Completions, "pl-2", "adya-si,plain-ser", "", "G-single-item");
}
TEST(ElleListAppend, G2Item) {
  expect("0 ok [[:append :x 1] [:r :y nil]]\n1 ok [[:append :y 1] [:r :x nil]]", Events::Completions,
         "pl-2,adya-si", "plain-ser", "", "G2-item");
}
TEST(ElleListAppend, StrongSnapshotIsolation) {
  expect("0 ok [[:append :x 1]]\n1 ok [[:append :x 2]]\n2 ok [[:r :x [1]]]\n3 ok [[:r :x [1 2]]]",
         Events::Pairs, "plain-ser,ser", "strong-si,strict-ser", "", "G-single-item-realtime");
}
TEST(ElleListAppend, StrongSessionSnapshotIsolation) {
  expect("0 ok [[:append :x 1]]\n1 ok [[:append :x 2]]\n1 ok [[:r :x [1]]]\n2 ok [[:r :x [1 2]]]",
         Events::Pairs, "plain-ser", "si,strict-ser", "", "G-single-item-process");
}
TEST(ElleListAppend, GNonadjacentProcess) {
  expect("0 ok [[:r :x nil] [:r :z [1]]]\n1 ok [[:append :x 1]]\n1 ok [[:r :z nil]]\n2 ok [[:append :z 1]]",
         Events::Pairs, "plain-ser", "si,strict-ser", "", "G-nonadjacent-item-process");
}
TEST(ElleListAppend, IncompatibleOrder) {
  expect(
      "0 ok [[:append :x 1] [:r :y [1]]]\n0 ok [[:append :x 2]]\n0 ok [[:append :x 3] [:append :y 1]]\n"
      "0 ok [[:r :x [1 3]]]\n0 ok [[:r :x [1 2 3]]]",
      Events::Completions, "", "pl-2", "", "incompatible-order");
}
// Elle calls it dirty-update, which implies its G1a: the list shows what an aborted transaction appended.
TEST(ElleListAppend, DirtyUpdate) {
  expect("0 fail [[:append :x 1]]\n1 ok [[:append :x 2]]\n2 ok [[:r :x [1 2]]]", Events::Completions, "",
         "pl-2", "", "G1a");
  expect("0 fail [[:append :x 1]]\n1 info [[:append :x 2]]\n2 ok [[:append :x 3]]\n3 ok [[:r :x [1 2 3]]]",
         Events::Completions, "", "pl-2");
}
TEST(ElleListAppend, DuplicateElements) {
  expect("0 ok [[:append :x 1] [:r :y [1]]]\n0 ok [[:append :x 2] [:append :y 1]]\n0 ok [[:r :x [1 2 1]]]",
         Events::Completions, "", "pl-2", "", "duplicate-elements");
}
// Elle calls it internal. The list shows the own append and one of another transaction behind it: the reader
// read from one that came after it.
TEST(ElleListAppend, Internal) {
  expect("0 ok [[:append :x 1] [:append :x 2] [:append :x 4]]\n0 ok [[:append :x 3] [:r :x [1 2 3 4]]]",
         Events::Completions, "", "plain-ser", "", "G1c");
  expect("1 ok [[:append 0 6] [:r 0 nil]]", Events::Pairs, "", "plain-ser", "", "internal");
  expect("1 ok [[:append :x 3] [:r :x []]]", Events::Pairs, "", "plain-ser", "", "internal");
}
TEST(ElleListAppend, FutureRead) {
  expect("0 ok [[:append :x 0] [:append :x 2]]\n1 ok [[:r :x [0 1 2]] [:append :x 1]]", Events::Pairs, "",
         "plain-ser", "", "future-read");
}
TEST(ElleListAppend, UnobservedWrites) {
  expect(
      "0 ok [[:append :x 1] [:append :y 1]]\n1 ok [[:append :x 2] [:append :y 2]]\n"
      "2 ok [[:append :x 3] [:append :y 3]]\n3 ok [[:r :x [1 2]]]\n4 ok [[:r :y [2]]]",
      Events::Completions, "", "plain-ser,adya-si");
}
TEST(ElleListAppend, GNonadjacent) {
  expect(
      "0 ok [[:append :x 1]]\n1 ok [[:r :x [1]] [:r :y nil]]\n2 ok [[:append :y 1]]\n3 ok [[:r :y [1]] [:r "
      ":x nil]]",
      Events::Completions, "pl-2", "adya-si", "", "G-nonadjacent-item");
  expect(
      "0 ok [[:r :x [5]] [:append :y 1]]\n1 ok [[:r :y nil] [:append :z 2]]\n2 ok [[:r :z nil] [:append :t "
      "3]]\n"
      "3 ok [[:r :t [3]] [:append :u 4]]\n4 ok [[:r :u nil] [:append :x 5]]",
      Events::Completions, "adya-si", "");
}
TEST(ElleListAppend, LostUpdate) {
  expect("0 ok [[:append :x 0]]\n0 ok [[:r :x [0]] [:append :x 1]]\n0 ok [[:r :x [0]] [:append :x 2]]",
         Events::Pairs, "", "plain-ser,adya-si,strict-ser", "", "lost-update");
  expect("0 ok [[:r :x nil] [:append :x 1] [:append :x 2]]\n0 ok [[:r :x [1 2]]]", Events::Pairs,
         "strict-ser", "");
}
TEST(ElleListAppend, G1cProcess) {
  expect("1 ok [[:r :x [1]] [:append :y 1]]\n2 ok [[:r :y [1]]]\n2 ok [[:append :x 1]]", Events::Pairs,
         "plain-ser", "si,strict-ser");
}

TEST(ElleRwRegister, G0FromTheOrderOfSessions) {
  expect("0 ok [[:w :x 1] [:w :y 2]]\n1 ok [[:w :x 2] [:w :y 1]]\n0 ok [[:r :x 2]]\n1 ok [[:r :y 2]]",
         Events::Pairs, "plain-ser", "ser");
}
TEST(ElleRwRegister, G1) {
  expect("1 ok [[:r :x 1]]\n0 fail [[:w :x 1]]", Events::Completions, "", "pl-2");
  expect("0 ok [[:w :x 1] [:w :x 2]]\n1 ok [[:r :x 1]]", Events::Completions, "", "pl-2");
  expect("0 ok [[:w :x 1] [:r :y 1]]\n1 ok [[:w :y 1] [:r :x 1]]", Events::Completions, "", "pl-2,plain-ser");
}
TEST(ElleRwRegister, Internal) {
  expect("0 ok [[:w :x 1]]\n1 ok [[:w :x 2]]\n2 ok [[:r :x 1] [:r :x 2]]", Events::Completions, "",
         "plain-ser");
  expect("0 ok [[:w :x 1]]\n1 ok [[:r :x 1] [:w :x 2] [:r :x 1]]", Events::Completions, "", "plain-ser");
}
TEST(ElleRwRegister, GSingleWithTheInitialState) {
  expect("0 ok [[:r :x nil] [:r :y 1]]\n1 ok [[:w :y 1] [:w :x 2]]", Events::Completions, "pl-2",
         "adya-si,plain-ser");
}
TEST(ElleRwRegister, CyclicVersions) {
  expect("0 ok [[:w :x 1]]\n0 ok [[:w :x 2]]\n0 ok [[:r :x 1]]", Events::Pairs, "plain-ser",
         "ser,strict-ser");
}
TEST(ElleRwRegister, LostUpdate) {
  expect("0 ok [[:w :x 0]]\n0 ok [[:r :x 0] [:w :x 1]]\n1 ok [[:r :x 0] [:w :x 2]]", Events::Pairs, "",
         "adya-si,plain-ser");
}

// Elle takes a value that nobody wrote for one that was there, so it says that these are valid. Nothing can
// be read that nobody wrote, so Assay does not. (Elle's own test calls the first one a bug.)
TEST(ElleRwRegister, ReadsOfValuesThatNobodyWroteAreViolationsHere) {
  expect("0 ok [[:w :x 1]]\n0 ok [[:r :x 2]]", Events::Pairs, "", "strict-ser,pl-2");
  expect("0 ok [[:r :x 1] [:r :y 1]]\n1 ok [[:r :x 1] [:w :y 2]]\n2 ok [[:r :y 1] [:w :x 2]]",
         Events::Completions, "", "pl-2");
  expect("0 ok [[:r :y 1] [:w :x 1] [:w :y 2]]\n0 ok [[:r :x 1] [:r :y 1]]", Events::Completions, "",
         "plain-ser");
}

std::string calls(std::initializer_list<std::array<std::string_view, 3>> of_each) {
  std::string text;
  for (const auto& [process, f, value] : of_each) {
    const bool reads = f == "read";
    const std::string head = "{:process " + std::string(process) + " :f :" + std::string(f);
    const bool has_key = reads && value.starts_with("[") && value.size() > 2 && value.find(" [") == 2;
    text += head + " :type :invoke :value " +
            (!reads    ? std::string(value)
             : has_key ? "[" + std::string(value.substr(1, 1)) + " nil]"
                       : "nil") +
            "}\n" + head + " :type :ok :value " + std::string(value) + "}\n";
  }
  return text;
}

TEST(ElleCli, CasRegister) {
  EXPECT_EQ(
      verdict(
          calls(
              {{"1", "read", "nil"}, {"2", "read", "nil"}, {"1", "cas", "[nil 1]"}, {"2", "cas", "[nil 2]"}}),
          "strict-ser"),
      "violated");
  EXPECT_EQ(
      verdict(
          calls({{"1", "read", "nil"}, {"1", "cas", "[nil 1]"}, {"2", "cas", "[1 2]"}, {"1", "read", "2"}}),
          "strict-ser"),
      "holds");
}

TEST(ElleCli, Mutex) {
  EXPECT_EQ(verdict(calls({{"1", "acquire", "nil"}, {"1", "release", "nil"}, {"2", "acquire", "nil"}}),
                    "strict-ser"),
            "holds");
  EXPECT_EQ(verdict(calls({{"1", "acquire", "nil"}, {"2", "acquire", "nil"}}), "strict-ser"), "violated");
}

TEST(ElleCli, Sequential) {
  const auto history = [](std::string_view read) {
    return calls({{"0", "add", "[0 \"0_0\"]"}, {"0", "add", "[0 \"0_1\"]"}, {"0", "add", "[0 \"0_2\"]"}}) +
           "{:process 1 :f :read :type :invoke :value [0 nil]}\n{:process 1 :f :read :type :ok :value [0 " +
           std::string(read) + "]}\n";
  };
  // The order of the session says more than real time: a later subkey was there, an earlier one was not.
  EXPECT_EQ(verdict(history("[\"0_2\" \"0_1\" nil]"), "ser"), "violated");
  EXPECT_EQ(verdict(history("[nil \"0_1\" \"0_0\"]"), "ser"), "holds");
  EXPECT_EQ(verdict(history("[nil nil nil]"), "ser"), "holds");
  // Elle-cli accepts this one, though the adds had ended before the read began.
  EXPECT_EQ(verdict(history("[nil nil nil]"), "strict-ser"), "violated");
}

TEST(ElleCli, SetFull) {
  EXPECT_EQ(verdict(calls({{"0", "add", "0"}, {"0", "add", "1"}, {"1", "read", "[0 1]"}}), "strict-ser"),
            "holds");
  EXPECT_EQ(verdict(calls({{"0", "add", "0"}, {"0", "add", "1"}, {"1", "read", "[1]"}}), "strict-ser"),
            "violated");
  EXPECT_EQ(verdict(calls({{"0", "add", "0"}, {"1", "read", "[0 5]"}}), "pl-2"),
            "violated");  // nobody added 5
  EXPECT_EQ(verdict(calls({{"0", "add", "0"}, {"1", "read", "[0 0]"}}), "pl-2"), "violated");  // added once
}

TEST(ElleCli, LongForkIsOnlyForParallelSnapshotIsolation) {
  expect("0 ok [[:w 0 1]]\n1 ok [[:w 1 1]]\n2 ok [[:r 0 nil] [:r 1 1]]\n3 ok [[:r 1 nil] [:r 0 1]]",
         Events::Completions, "psi", "si,ser");
}

TEST(ElleCli, G2IsWriteSkew) {
  const std::string both = calls({{"0", "insert", "[3 [1 nil]]"}}) + calls({{"1", "insert", "[3 [nil 2]]"}});
  EXPECT_EQ(verdict(both, "ser"), "violated");
  EXPECT_EQ(verdict(both, "adya-si"), "holds");
  EXPECT_EQ(verdict(calls({{"0", "insert", "[3 [1 nil]]"}, {"1", "insert", "[4 [2 nil]]"}}), "strict-ser"),
            "holds");
}

TEST(ElleCli, BankAndCounterAreRefused) {
  EXPECT_TRUE(
      verdict(calls({{"0", "transfer", "{:from 0 :to 1 :amount 5}"}, {"0", "read", "{0 5 1 15}"}}), "ser")
          .starts_with("refused: the workload bank"));
  EXPECT_TRUE(verdict(calls({{"0", "add", "1"}, {"0", "read", "1"}}), "ser")
                  .starts_with("refused: the workload counter"));
}

}  // namespace
}  // namespace assay

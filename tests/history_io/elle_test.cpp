#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "history/builder.h"
#include "history/compare.h"
#include "history/describe.h"
#include "history_io/edn.h"
#include "history_io/format.h"
#include "support/paths.h"

namespace assay {
namespace {

Result<History> try_elle(std::string text) {
  return read_history(ByteSource::from_memory("h.edn", std::move(text)), find_format("elle"));
}

History elle(std::string text) {
  auto history = try_elle(std::move(text));
  if (!history) throw std::invalid_argument(history.error().describe());
  return std::move(history).value();
}

std::string problem(std::string text) {
  const auto history = try_elle(std::move(text));
  return history ? "no error" : history.error().describe();
}

// Transactions as "session: operations suffix [begin end]", in order.
std::string summary(const History& h) {
  std::string all;
  for (const TxnId t : h.transactions()) {
    all += h.display(h.session(t)) + ":";
    for (const OpId op : h.operations(t)) all += " " + describe(h, op);
    all += h.outcome(t) == Outcome::Committed ? "" : h.outcome(t) == Outcome::Aborted ? " !" : " ?";
    if (const Instants at = h.instants(t); at.any())
      all += " [" + (at.begin ? std::to_string(*at.begin) : "-") + " " +
             (at.end ? std::to_string(*at.end) : "-") + "]";
    all += "\n";
  }
  return all;
}

std::string write(const History& history, bool json, const WriteOptions& options = {}) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  const Format& format = *find_format("elle");
  auto report = (json ? format.write_json : format.write)(history, sink, options);
  if (!report) return "error: " + report.error().describe();
  EXPECT_TRUE(report->left_out.empty()) << report->left_out.front();
  EXPECT_TRUE(sink.close());
  return text;
}

void expect_round_trip(const History& history) {
  for (const bool json : {false, true}) {
    const std::string text = write(history, json);
    const auto again = read_history(ByteSource::from_memory("again", text));  // detected, too
    ASSERT_TRUE(again) << again.error().describe() << "\n" << text;
    EXPECT_EQ(first_difference(history, *again), std::nullopt) << text;
  }
}

// What Jepsen records beside the transaction is skipped by its structure, whatever it is.
TEST(ElleReader, FieldsThatNobodyUsesMayHoldAnything) {
  const std::string micro = ":value [[:append x 017] [:r x [15]]]";
  const std::string odd =
      R"(:error [:ex #object[Foo 0x1a2b "x"] 1/2 #"re" ^{:a 1} [y] #:ns{:time -1} #<Atom 7> \newline 3a])";
  const std::string text = "{:type :invoke :process 0 :f :txn " + odd +
                           " :value [[:append x 017] [:r x nil]]}\n" + "{:type :ok :process 0 :f :txn " +
                           micro + " " + odd + "}\n";
  EXPECT_EQ(describe(elle(text), OpId(0)), "append(x,15)");
  EXPECT_EQ(problem("{:type :ok :process 0 :f :txn :value [[:append x 1/2]]}"),
            "h.edn:1: a key or value that is nothing that a history can hold (expected an integer, a string "
            "or a keyword)");
}

TEST(ElleReader, PairsInvocationsWithCompletionsByProcess) {
  const History h = elle(R"(
{:index 0 :time 1 :type :invoke :process 0 :f :txn :value [[:w x 1] [:r y nil]]}
{:index 1 :time 2 :type :invoke :process 1 :f :txn :value [[:r x nil]]}
{:index 2 :time 3 :type :ok :process 1 :f :txn :value [[:r x 1]]}
{:index 3 :time 4 :type :ok :process 0 :f :txn :value [[:w x 1] [:r y nil]]}
)");
  EXPECT_EQ(summary(h), "1: r(x,1) [2 3]\n0: w(x,1) r(y,null) [1 4]\n");
  EXPECT_EQ(h.display(SessionId(0)), "0");
  EXPECT_EQ(h.display(TxnId(0)), "2");
  EXPECT_TRUE(h.default_initial()->is_null());
}

TEST(ElleReader, TakesFailForAbortedAndInfoForUnknown) {
  const History h = elle(R"(
{:type :invoke :process 0 :time 1 :value [[:append 1 1] [:r 1 nil]]}
{:type :fail :process 0 :time 2 :value [[:append 1 1] [:r 1 nil]] :error :conflict}
{:type :invoke :process 0 :time 3 :value [[:append 1 2] [:r 1 nil]]}
{:type :info :process 0 :time 4 :error "timeout"}
{:type :invoke :process 7 :time 5 :value [[:append 1 3] [:r 1 nil]]}
)");
  EXPECT_EQ(summary(h), "0: append(1,1) ! [1 2]\n0: append(1,2) ? [3 -]\n7: append(1,3) ? [5 -]\n");
}

TEST(ElleReader, ReadsHistoriesThatHoldOnlyCompletions) {
  EXPECT_EQ(
      summary(elle("{:type :ok :process 3 :value [[:w :x 1]]} {:type :ok :process 3 :value [[:r :x 1]]}")),
      "3: w(\":x\",1)\n3: r(\":x\",1)\n");
}

TEST(ElleReader, GivesEveryTransactionASessionWhenProcessesAreMissing) {
  EXPECT_EQ(summary(elle(R"(
{:index 2 :type :invoke, :value [[:append 255 8] [:r 253 nil]]}
{:index 3 :type :ok,     :value [[:append 255 8] [:r 253 [1 3]]]}
{:index 4 :type :invoke, :value [[:append 256 4]]}
{:index 5 :type :ok,     :value [[:append 256 4]]}
)")),
            "1: append(255,8) r(253,[1 3]) [0 1]\n2: append(256,4) [2 3]\n");
  EXPECT_NE(problem("{:type :invoke :value [[:w 1 1]]}\n{:type :invoke :value [[:w 1 2]]}")
                .find("h.edn:2: a second invocation"),
            std::string::npos);
  EXPECT_NE(problem("{:type :ok :value [[:w 1 1]]}\n{:type :ok :process 1 :value [[:w 1 2]]}")
                .find("h.edn:2: some operations"),
            std::string::npos);
}

TEST(ElleReader, LeavesOutWhatIsNoTransaction) {
  EXPECT_EQ(summary(elle(R"(
{:type :info :process :nemesis :f :start-partition :value nil}
{:type :info :process "nemesis" :f :txn :value :whatever}
{:type :ok :process 1 :f :write-only :value [[:w 1 1]]}
)")),
            "1: w(1,1)\n");
  EXPECT_NE(
      problem("{:type :ok :process 1 :f :txn :value [0 1]}").find("h.edn:1: expected a micro-operation"),
      std::string::npos);
  EXPECT_NE(problem("{:type :info :process :nemesis :f :kill}").find("no transactions"), std::string::npos);
}

TEST(ElleReader, SaysWhatItLeavesOutAndWhichOrderItUses) {
  const History h = elle(R"(
{:type :info :process :nemesis :f :start-partition :value nil :time 1}
{:type :info :process :nemesis :f :start-partition :value [:cut {"n1" #{"n2"}}] :time 2}
{:type :info :process :nemesis :f :stop :value nil :time 3}
{:type :invoke :process 1 :f :txn :value [[:w 1 1]] :time -1}
{:type :ok :process 1 :f :txn :value [[:w 1 1]] :time -1}
)");
  EXPECT_EQ(h.remarks(),
            (std::vector<std::string>{
                "the order in real time is that of the events in the file: the :time of line 5 is negative",
                "operations of the nemesis and other processes, not judged: :start-partition 2, :stop 1"}));
  EXPECT_EQ(elle("{:type :ok :process 1 :value [[:w 1 1]]}").remarks(),
            (std::vector<std::string>{"there is no order in real time: there is no :invoke"}));
}

TEST(ElleReader, RefusesOtherOperationsAmongTransactions) {
  EXPECT_EQ(
      problem("{:type :ok :process 1 :f :txn :value [[:w 1 1]]}\n{:type :invoke :process 2 :f :resize}"),
      "h.edn:2: operations :f :resize are not part of the workload append or wr (if they change no data, "
      "leave them out with --jepsen-ignore resize; otherwise name the workload with --jepsen-workload)");
  EXPECT_EQ(
      problem("{:type :ok :process 1 :f :write :value 1}\n{:type :ok :process 2 :f :txn :value [[:w 1 1]]}"),
      "h.edn:2: a transaction, while line 1 is an operation of another workload (a history has one "
      "workload)");
}

TEST(ElleReader, RefusesAProcessWhoseIndicesDecrease) {
  EXPECT_EQ(problem("{:type :ok :process 1 :index 7 :value [[:w 1 1]]}\n"
                    "{:type :ok :process 1 :index 3 :value [[:w 1 2]]}"),
            "h.edn:2: the :index 3 of process 1 comes after its :index 7 (the file is not in the order of "
            "events; sort it by :index)");
}

TEST(ElleReader, TakesVectorsForKeys) {
  EXPECT_EQ(summary(elle("{:type :ok :process 1 :value [[:w [3 :x] 1] [:r (3 :x) 1]]}")),
            "1: w(\"[3 :x]\",1) r(\"[3 :x]\",1)\n");
  EXPECT_NE(problem("{:type :ok :process 1 :value [[:w [3] 1] [:w \"[3]\" 1]]}").find("told apart"),
            std::string::npos);
}

TEST(ElleReader, LearnsThatAKeyIsAListEvenAfterItsFirstRead) {
  EXPECT_EQ(summary(elle(R"(
{:type :ok :process 0 :value [[:r 1 nil] [:r 2 nil]]}
{:type :ok :process 0 :value [[:append 1 5]]}
)")),
            "0: r(1,[]) r(2,[])\n0: append(1,5)\n");
  EXPECT_EQ(
      summary(elle("{:type :ok :process 0 :value [[:r 1 nil]]} {:type :ok :process 0 :value [[:r 1 [5]]]}")),
      "0: r(1,[])\n0: r(1,[5])\n");
  EXPECT_EQ(
      summary(elle("{:type :ok :process 0 :value [[:r 1 nil]]} {:type :ok :process 0 :value [[:w 1 5]]}")),
      "0: r(1,null)\n0: w(1,5)\n");
  // A register beside a list stays a register.
  EXPECT_EQ(summary(elle(R"(
{:type :ok :process 0 :value [[:r r nil] [:r l nil]]}
{:type :ok :process 0 :value [[:append l 5] [:w r 1]]}
)")),
            "0: r(r,null) r(l,[])\n0: append(l,5) w(r,1)\n");
  EXPECT_NE(problem("{:type :ok :process 0 :value [[:w 1 5]]}\n{:type :ok :process 0 :value [[:append 1 5]]}")
                .find("h.edn:2: key 1 is used both as a list and as a register"),
            std::string::npos);
}

TEST(ElleReader, KeepsKeywordsAndStringsApart) {
  EXPECT_EQ(summary(elle("{:type :ok :process 0 :value [[:w :x \"a\"] [:w \"x\" :a]]}")),
            "0: w(\":x\",a) w(x,\":a\")\n");
  EXPECT_NE(problem("{:type :ok :process 0 :value [[:w \":x\" 1]]}").find("told apart from a keyword"),
            std::string::npos);
  EXPECT_NE(problem("{:type :ok :process 0 :value [[:w x \"y\"]]}").find("both strings and symbols"),
            std::string::npos);
}

TEST(ElleReader, KeepsLargeNumbersExact) {
  EXPECT_EQ(summary(elle(
                "{:type :ok :process 0 :value [[:w 1 12345678901234567890123N] [:w 1 0.1M] [:w 1 true]]}")),
            "0: w(1,12345678901234567890123) w(1,0.1) w(1,true)\n");
  EXPECT_EQ(
      summary(elle(
          R"({"type": "ok", "process": 0, "value": [["w", 1, 12345678901234567890123], ["w", 1, 18446744073709551615]]})")),
      "0: w(1,12345678901234567890123) w(1,18446744073709551615)\n");
}

TEST(ElleReader, ReadsJsonAsLinesAndAsOneArray) {
  const std::string invoke =
      R"({"index":0,"time":1,"type":"invoke","process":1,"f":"txn","value":[["append","x",1],["r","y",null]]})";
  const std::string ok =
      R"({"index":1,"time":2,"type":"ok","process":1,"f":"txn","value":[["append","x",1],["r","y",[3,4]]]})";
  const std::string expected = "1: append(x,1) r(y,[3 4]) [1 2]\n";
  EXPECT_EQ(summary(elle(invoke + "\n" + ok + "\n")), expected);
  EXPECT_EQ(summary(elle("[" + invoke + ",\n" + ok + "]\n")), expected);
  EXPECT_EQ(detect_format("[" + invoke), find_format("elle"));
  EXPECT_EQ(detect_format(invoke), find_format("elle"));
}

TEST(ElleReader, ReportsBadJsonWithItsLine) {
  const std::string good = R"({"type":"ok","process":1,"value":[["w",1,1]]})";
  EXPECT_NE(problem(good + "\n" + R"({"type":"ok","process":1,"value":[["w",1,1]])")
                .find("h.edn:2: the file ends inside a JSON value"),
            std::string::npos);
  EXPECT_NE(problem(good + "\n" + R"({"type":"ok","proc)").find("h.edn:2: the file ends inside a JSON value"),
            std::string::npos);
  EXPECT_NE(problem(good + "\n{\"type\" 1}").find("h.edn:2: syntax error"), std::string::npos);
  EXPECT_NE(problem(good + "\n{\"type\": \"ok\xff\"}").find("h.edn:2: "), std::string::npos);
  EXPECT_NE(problem("[" + good + ",\n" + good + "\n]]").find("h.edn:3: "), std::string::npos);
  EXPECT_NE(problem("{\"type\":" + std::string(100000, '[')).find("nested more than 64 deep"),
            std::string::npos);
  EXPECT_NE(problem(good + "\n7").find("h.edn:2: expected an operation"), std::string::npos);
}

TEST(ElleReader, ReportsWhatIsWrongWithAnOperation) {
  const auto expect = [](std::string text, std::string what) {
    const std::string got = problem(text);
    EXPECT_NE(got.find(what), std::string::npos) << text << "\n" << got;
  };
  expect("; only a comment\n", "no transactions");
  expect("[:a]", "1: expected an operation");
  expect("{:process 1}", "1: an operation without :type");
  expect("{:type :maybe :process 1}", "1: unknown :type 'maybe'");
  expect("{:type 3 :process 1}", "1: the :type is an integer");
  expect("{:type :ok :type :ok}", "1: \"type\" stands twice");
  expect("{:type :ok :process 1 :value nil}", "1: a transaction without :value");
  expect("{:type :ok :process 1 :value {:a 1}}", "1: the :value of a transaction is a map");
  expect("{:type :ok :process 1 :value [[:cas 1 2]]}", "1: unknown micro-operation 'cas'");
  expect("{:type :ok :process 1 :value [[:w 1]]}", "1: a micro-operation w with 2 parts");
  expect("{:type :ok :process 1 :value [[:r 1]]}", "1: a read without the value it returned");
  expect("{:type :ok :process 1 :value [[:r nil 1]]}", "1: a key that is nil");
  expect("{:type :ok :process 1 :value [[:w 1 #{2}]]}", "1: a key or value that is a set");
  expect("{:type :ok :process 1 :value [[:w 1 nil]]}", "1: null is written to key 1");
  expect("{:type :ok :process 1 :time 1.5 :value [[:w 1 1]]}", "1: :time is a number");
  expect("{:type :ok :process 1 :index :a :value [[:w 1 1]]}", "1: :index is a keyword");
  expect("{:type :invoke :process 1 :value [[:w 1 1]]}\n{:type :invoke :process 1 :value [[:w 1 2]]}",
         "2: process 1 invokes a transaction while that of line 1 is still open");
  expect("{:type :invoke :process 1 :value [[:w 1 1]]}\n{:type :ok :process 1 :value [[:w 1 2]]}",
         "2: the completion does other micro-operations");
  expect(
      "{:type :info :process :nemesis :f :instants :value :nanoseconds}\n"
      "{:type :invoke :process 1 :time 9 :value [[:w 1 1]]}\n{:type :ok :process 1 :time 8 :value [[:w 1 "
      "1]]}",
      "3: the instants of a transaction go backwards");
  expect("{:type :info :process :nemesis :f :instants :value :lightyears}", "1: unknown :instants");
}

TEST(ElleReader, IndexesThatRepeatAreNoNames) {
  const History h = elle(
      "{:index 5 :type :ok :process 1 :value [[:w 1 1]]}\n{:index 5 :type :ok :process 2 :value [[:w 1 2]]}");
  EXPECT_EQ(h.transaction_count(), 2u);
  EXPECT_EQ(h.display(TxnId(0)), "1:1");
  EXPECT_EQ(h.display(TxnId(1)), "2:1");
}

// Two transactions one after the other; `times` are the :time fields of the four events.
History one_after_another(const std::array<std::string, 4>& times) {
  return elle("{:type :invoke :process 0 " + times[0] + " :value [[:append 1 1]]}\n" +
              "{:type :ok :process 0 " + times[1] + " :value [[:append 1 1]]}\n" +
              "{:type :invoke :process 1 " + times[2] + " :value [[:r 1 nil]]}\n" + "{:type :ok :process 1 " +
              times[3] + " :value [[:r 1 nil]]}\n");
}

TEST(ElleReader, TakesTheOrderOfEventsWhereTimesAreNoClock) {
  const std::array<std::pair<std::array<std::string, 4>, std::string>, 6> cases{{
      {{":time -1", ":time -1", ":time -1", ":time -1"}, "the :time of line 1 is negative"},
      {{":time 7", ":time 7", ":time 7", ":time 7"}, "the :time of line 3 is also that of an earlier :ok"},
      {{"", "", "", ""}, "line 1 has no :time"},
      {{":time 1", ":time 2", ":time 2", ":time 3"}, "the :time of line 3 is also that of an earlier :ok"},
      {{":time 1", ":time 9", ":time 5", ":time 12"}, "the :time of line 3 is less than an earlier one"},
      {{":time 9", ":time 8", ":time 10", ":time 11"}, "the :time of line 2 is less than an earlier one"},
  }};
  for (const auto& [times, reason] : cases) {
    const History h = one_after_another(times);
    EXPECT_EQ(summary(h), "0: append(1,1) [0 1]\n1: r(1,[]) [2 3]\n") << reason;
    EXPECT_EQ(h.instant_kind(), InstantKind::Positions) << reason;
    EXPECT_EQ(h.instants_reason(), reason);
    expect_round_trip(h);
  }
}

TEST(ElleReader, KeepsTimesThatAgreeWithTheOrderOfEvents) {
  const History h = one_after_another({":time 1", ":time 2", ":time 3", ":time 3"});
  EXPECT_EQ(summary(h), "0: append(1,1) [1 2]\n1: r(1,[]) [3 3]\n");
  EXPECT_EQ(h.instant_kind(), InstantKind::Nanoseconds);
}

TEST(ElleReader, HasNoRealTimeOrderWhereEventsAreMissingOrShuffled) {
  const History only_ok =
      elle("{:type :ok :process 0 :value [[:w 1 1]]}\n{:type :ok :process 1 :value [[:r 1 1]]}");
  EXPECT_FALSE(only_ok.has_instants());
  EXPECT_EQ(only_ok.instants_reason(), "there is no :invoke");
  const History shuffled = elle(
      "{:index 2 :type :invoke :process 0 :value [[:w 1 1]]}\n{:index 3 :type :ok :process 0 :value [[:w 1 "
      "1]]}\n"
      "{:index 0 :type :invoke :process 1 :value [[:w 1 2]]}\n{:index 1 :type :ok :process 1 :value [[:w 1 "
      "2]]}");
  EXPECT_FALSE(shuffled.has_instants());
  EXPECT_EQ(shuffled.instants_reason(), "the :index of line 3 is less than an earlier one");
}

TEST(ElleReader, AcceptsInvocationsThatLeaveOutTheValueOfARead) {
  EXPECT_EQ(summary(elle(R"(
{ :process 1, :index 1, :type :invoke, :f :txn :value [[:r x] [:w y 1]] }
{ :process 1, :index 2, :type :ok,     :f :txn :value [[:r x nil] [:w y 1]] }
)")),
            "1: r(x,null) w(y,1) [0 1]\n");
}

TEST(ElleReader, ReadsTheSamplesOfElle) {
  const std::string folder = test::source_dir() + "/../shared/histories/elle";
  if (!std::filesystem::exists(folder)) {
    std::fprintf(stderr, "NOT TESTED: %s is not there\n", folder.c_str());
    GTEST_SKIP();
  }
  const auto transactions = [&](const std::string& name) {
    const auto history = read_history(folder + "/" + name);
    return history ? history->transaction_count() : (ADD_FAILURE() << history.error().describe(), 0);
  };
  EXPECT_EQ(transactions("list-append-gh-30.edn"), 5u);
  EXPECT_EQ(transactions("paper-example.edn"), 4u);
  EXPECT_EQ(transactions("si-without-g-single.edn"), 4u);
}

TEST(ElleFormat, ClaimsOnlyItsOwnFiles) {
  for (const char* own :
       {"{:type :ok}", " ; c\n [{:a 1}]", "({:a 1})", "#jepsen.history.Op{:index 0}", "{\n:a 1}",
        R"( [ {"type" : "ok", "value": []}])", R"({"value": [["r",1,2]], "type": "info"})"})
    EXPECT_EQ(detect_format(own), find_format("elle")) << own;
  for (const char* other : {R"({"session": 1, "ops": []})", R"({"assay": 1})", "S1: r(x,0)", "r(1,2,3,4)",
                            "r 1 2", "[x:=1]", "", R"({"value": [["r","x",1,true]]})",
                            R"({"note": {"type": "ok"}})", R"({"a": "type", "b": "ok"})", "[[1]]"})
    EXPECT_NE(detect_format(other), find_format("elle")) << other;
}

// Everything the format has a place for, in one history.
History colourful(bool timed) {
  HistoryBuilder b;
  b.set_note("two lines\nand \"quotes\"");
  const SessionId alice = b.session("alice"), zero = b.session(Scalar::integer(0)),
                  minus = b.session(Scalar::integer(-3));
  const auto at = [&](std::int64_t begin, std::optional<std::int64_t> end) {
    return timed ? Instants{.begin = begin, .began = begin + 1, .committing = begin + 2, .end = end}
                 : Instants{};
  };
  b.write(b.key(":kw"), Scalar::integer(1));
  b.read(b.key("plain"), Scalar::null());
  b.append(b.key("list"), b.pool().string("el \\ \"em\" \t\x01"));
  EXPECT_TRUE(b.finish({.session = zero, .name = b.pool().string(":first"), .instants = at(100, 110)}));
  b.read(b.key(":kw"), Scalar::null());
  b.write(b.key("plain"), *b.pool().number("0.25"));
  EXPECT_TRUE(b.finish({.session = alice, .outcome = Outcome::Aborted, .instants = at(50, 60)}));
  b.read(b.key(":kw"), Scalar::null());
  b.write(b.key("plain"), *b.pool().number("123456789012345678901234567890"));
  b.list_read(b.key("list"), {});
  EXPECT_TRUE(b.finish({.session = alice,
                        .name = Scalar::integer(17),
                        .outcome = Outcome::Unknown,
                        .instants = at(60, std::nullopt)}));
  EXPECT_TRUE(b.finish({.session = alice, .instants = at(60, 70)}));
  b.list_read(b.key("list"), std::vector{b.pool().string("a"), Scalar::boolean(true), b.pool().string(":k")});
  EXPECT_TRUE(b.finish({.session = minus, .outcome = Outcome::Unknown, .instants = at(1, 900)}));
  b.write(b.key("plain"), Scalar::integer(5));
  EXPECT_TRUE(b.finish({.session = zero, .instants = at(110, 120)}));
  return std::move(b).build().value();
}

TEST(ElleWriter, LosesNothingInARoundTrip) {
  expect_round_trip(colourful(true));
  expect_round_trip(colourful(false));
}

TEST(ElleWriter, WritesLinesInTheOrderOfTime) {
  HistoryBuilder b;
  const SessionId one = b.session(Scalar::integer(1)), two = b.session(Scalar::integer(2));
  b.write(b.key("x"), Scalar::integer(1));
  ASSERT_TRUE(b.finish({.session = one, .instants = {.begin = 5, .began = {}, .committing = {}, .end = 9}}));
  b.write(b.key("x"), Scalar::integer(2));
  ASSERT_TRUE(b.finish({.session = two, .instants = {.begin = 6, .began = {}, .committing = {}, .end = 7}}));
  b.read(b.key("x"), Scalar::integer(2));
  ASSERT_TRUE(b.finish({.session = two, .instants = {.begin = 8, .began = {}, .committing = {}, .end = 8}}));
  const History h = std::move(b).build().value();
  EXPECT_EQ(write(h, false),
            "{:index 0, :time 5, :type :invoke, :process 1, :f :txn, :value [[:w \"x\" 1]]}\n"
            "{:index 1, :time 6, :type :invoke, :process 2, :f :txn, :value [[:w \"x\" 2]]}\n"
            "{:index 2, :time 7, :type :ok, :process 2, :f :txn, :value [[:w \"x\" 2]], :txn nil}\n"
            "{:index 3, :time 8, :type :invoke, :process 2, :f :txn, :value [[:r \"x\" nil]]}\n"
            "{:index 4, :time 8, :type :ok, :process 2, :f :txn, :value [[:r \"x\" 2]], :txn nil}\n"
            "{:index 5, :time 9, :type :ok, :process 1, :f :txn, :value [[:w \"x\" 1]], :txn nil}\n");
}

TEST(ElleWriter, KeepsTheLinesOfAProcessInOrderWhenItsClockIsWrong) {
  HistoryBuilder b;
  const SessionId s = b.session(Scalar::integer(0));
  for (const std::int64_t begin : {100, 10, 50}) {
    b.write(b.key("x"), Scalar::integer(begin));
    ASSERT_TRUE(b.finish(
        {.session = s, .instants = {.begin = begin, .began = {}, .committing = {}, .end = begin + 60}}));
  }
  expect_round_trip(std::move(b).build().value());
}

TEST(ElleWriter, RefusesWhatElleHasNoPlaceFor) {
  HistoryBuilder initial;
  initial.set_initial(Scalar::integer(0));
  initial.read(initial.key("x"), Scalar::integer(0));
  ASSERT_TRUE(initial.finish({.session = initial.new_session()}));
  EXPECT_NE(
      write(std::move(initial).build().value(), false).find("elle cannot express that key x starts with 0"),
      std::string::npos);

  HistoryBuilder deletes;
  deletes.remove(deletes.key("x"));
  ASSERT_TRUE(deletes.finish({.session = deletes.new_session()}));
  EXPECT_NE(write(std::move(deletes).build().value(), true).find("elle cannot express deletes"),
            std::string::npos);

  HistoryBuilder colon;
  colon.write(colon.key(":not a keyword"), Scalar::integer(1));
  ASSERT_TRUE(colon.finish({.session = colon.new_session()}));
  const History h = std::move(colon).build().value();
  EXPECT_NE(write(h, false).find("write .json, which has no keywords"), std::string::npos);
  EXPECT_EQ(first_difference(h, elle(write(h, true))), std::nullopt);
}

TEST(ElleFormat, WritesJsonWhereTheNameSaysJson) {
  const History h = elle("{:type :ok :process 1 :value [[:w 1 1]]}");
  const auto path =
      std::filesystem::temp_directory_path() / ("assay_elle_test_" + std::to_string(::getpid()) + ".json");
  ASSERT_EQ(format_for_output(path.string()).value(), find_format("elle"));
  ASSERT_TRUE(write_history(h, path.string(), *find_format("elle")));
  auto source = ByteSource::open(path.string());
  ASSERT_TRUE(source);
  source->need(2);
  EXPECT_TRUE(source->window().starts_with("[{\"index\":0,"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace assay

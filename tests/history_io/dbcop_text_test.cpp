#include <gtest/gtest.h>

#include "history/builder.h"
#include "history/compare.h"
#include "history/describe.h"
#include "history_io/format.h"
#include "history_io/utf8.h"

namespace assay {
namespace {

Result<History> try_read(std::string_view format, std::string text) {
  return read_history(ByteSource::from_memory("h", std::move(text)), find_format(format));
}

History read(std::string_view format, std::string text) {
  auto history = try_read(format, std::move(text));
  if (!history) throw std::invalid_argument(history.error().describe());
  return std::move(history).value();
}

std::string problem(std::string_view format, std::string text) {
  const auto history = try_read(format, std::move(text));
  return history ? "no error" : history.error().describe();
}

std::string summary(const History& h) {
  std::string all;
  for (const TxnId t : h.transactions()) {
    all += h.display(h.session(t)) + ":";
    for (const OpId op : h.operations(t)) all += " " + describe(h, op);
    all += h.outcome(t) == Outcome::Aborted ? " !\n" : "\n";
  }
  return all;
}

std::string initial(const History& h, std::string_view key) {
  for (const KeyId k : h.keys())
    if (h.display(k) == key)
      return h.initial_value(k).is_none() ? "nothing" : h.pool().to_json(h.value(h.initial_value(k)));
  return "no such key";
}

std::string write(std::string_view format, const History& history, const WriteOptions& options = {},
                  std::vector<std::string>* left_out = nullptr) {
  std::string text;
  ByteSink sink = ByteSink::to_memory(text);
  auto report = find_format(format)->write(history, sink, options);
  if (!report) return "error: " + report.error().describe();
  if (left_out != nullptr) *left_out = report->left_out;
  EXPECT_TRUE(sink.close());
  return text;
}

constexpr std::string_view kWrapped = R"({
  "params": {"id": 0, "n_node": 2, "n_variable": 1, "n_transaction": 1, "n_event": 2},
  "info": "lost update", "start": "2025-01-01T00:00:00Z", "end": "2025-01-01T00:00:01Z",
  "data": [
    [{"events": [{"Read": {"variable": 0, "version": null}}, {"Write": {"variable": 0, "version": 1}}], "committed": true}],
    [{"committed": false, "events": [{"Read": {"version": 1, "variable": 0}}]}, {"events": [], "committed": true}]
  ]
})";

TEST(DbcopJsonReader, ReadsSessionsOfTransactions) {
  const History h = read("dbcop-json", std::string(kWrapped));
  EXPECT_EQ(summary(h), "1: r(0,null) w(0,1)\n2: r(0,1) !\n2:\n");
  EXPECT_EQ(h.note(), "lost update");
  EXPECT_EQ(initial(h, "0"), "null");
  EXPECT_EQ(detect_format(kWrapped), find_format("dbcop-json"));
}

TEST(DbcopJsonReader, ReadsBareSessionsAndShortEvents) {
  const std::string text =
      R"([[{"events": [["w", 3, 1], ["r", 3, null]], "committed": true}], [], [{"events": [["r", 3, 1]], "committed": true}]])";
  EXPECT_EQ(summary(read("dbcop-json", text)), "1: w(3,1) r(3,null)\n3: r(3,1)\n");
  EXPECT_EQ(detect_format(text), find_format("dbcop-json"));
}

TEST(DbcopJsonReader, AcceptsFieldsInAnyOrder) {
  EXPECT_EQ(
      summary(read(
          "dbcop-json",
          R"({"data": [[{"events": [{"Write": {"variable": 0, "version": 1}}], "committed": true}]], "params": {}})")),
      "1: w(0,1)\n");
}

TEST(DbcopJsonReader, ReportsWhatIsWrong) {
  const auto expect = [](std::string text, std::string what) {
    const std::string got = problem("dbcop-json", text);
    EXPECT_NE(got.find(what), std::string::npos) << text << "\n" << got;
  };
  for (std::size_t n = 1; n < kWrapped.size(); ++n)
    EXPECT_NE(problem("dbcop-json", std::string(kWrapped.substr(0, n))), "no error") << n;
  expect(std::string(kWrapped) + "x", "something follows the end");
  expect("{\"params\": {}}", "no \"data\"");
  expect("{\"data\": []}", "no transactions");
  expect("{\"data\": [], \"data\": []}", "'data' stands twice");
  expect("{\"data\": [7]}", "1: expected sessions");
  expect("{\"data\": 7}", "1: expected sessions");
  expect("7", "1: expected sessions");
  expect("{\"data\":\n [[7]]}", "2: expected a transaction");
  expect("[[{\"events\": [], \"committed\": 1}]]", "1: expected a transaction");
  expect("[[{\"events\": [{\"Cas\": {\"variable\": 0, \"version\": 1}}], \"committed\": true}]]",
         "1: expected an event");
  expect("[[{\"events\": [{\"Read\": 7}], \"committed\": true}]]", "1: expected an event");
  expect("[[{\"events\": [{\"Write\": {\"variable\": 0}}], \"committed\": true}]]", "1: expected an event");
  expect("[[{\"events\": [[\"w\", null, 1]], \"committed\": true}]]", "1: a variable that is no integer");
  expect("[[{\"events\": [[\"w\", 1, null]], \"committed\": true}]]", "1: null is written to key 1");
}

TEST(DbcopHistReader, ReadsTransactionsSessionsAndComments) {
  const std::string text = "// session 1\n[x:=1 y==2] [z==?]! // why\r\n\n[7:=3]\n----\n  [x==1]\n";
  const History h = read("dbcop-hist", text);
  EXPECT_EQ(summary(h), "1: w(x,1) r(y,2)\n1: r(z,null) !\n1: w(7,3)\n2: r(x,1)\n");
  EXPECT_EQ(detect_format(text), find_format("dbcop-hist"));
}

TEST(DbcopHistReader, ReportsWhatIsWrongWithItsLine) {
  const auto expect = [](std::string text, std::string what) {
    const std::string got = problem("dbcop-hist", text);
    EXPECT_NE(got.find(what), std::string::npos) << text << "\n" << got;
  };
  expect("// nothing\n", "no transactions");
  expect("[x:=1]\n[x:=2", "h:2: the line ends inside a transaction");
  expect("[x:=]", "h:1: expected a version before ']'");
  expect("[x:=?]", "h:1: expected a version before '?'");
  expect("[x:=a]", "h:1: expected a version before 'a'");
  expect("[x=1]", "h:1: expected := or == before '='");
  expect("[x:=1y:=2]", "h:1: expected a version");
  expect("[x==?y:=2]", "h:1: expected a space or ']' before 'y'");
  expect("[x:=1]\nx:=2", "h:2: expected '[' before 'x'");
  expect("[x:=1] -", "h:1: expected '['");
  expect("[x\xff:=1]", "h:1: a byte that is not UTF-8");
}

TEST(DbcopFormats, TakeNullAndAnUnwrittenZeroForTheInitialState) {
  EXPECT_EQ(initial(read("dbcop-hist", "[x==0 x:=1]\n"), "x"), "0");
  EXPECT_EQ(initial(read("dbcop-hist", "[x==? x:=1]\n"), "x"), "null");
  // Written by somebody, 0 is that write.
  EXPECT_EQ(initial(read("dbcop-hist", "[x==0]\n---\n[x:=0]\n"), "x"), "null");
  EXPECT_EQ(initial(read("dbcop-hist", "[x==0]\n---\n[x:=0]!\n"), "x"), "null");
  EXPECT_EQ(initial(read("dbcop-hist", "[x==0 y==?]\n---\n[x:=0]\n"), "x"), "null");
  // Both at once are one state.
  const History both = read("dbcop-hist", "[x==?]\n---\n[x==0]\n");
  EXPECT_EQ(summary(both), "1: r(x,null)\n2: r(x,null)\n");
  EXPECT_EQ(initial(both, "x"), "null");
}

TEST(DbcopFormats, LoseNothingInARoundTrip) {
  const std::string text = "[x:=1 y==?] [z==?]!\n---\n[x==1]\n[y:=0]\n---\n[y==0 x==7]\n";
  const History h = read("dbcop-hist", text);
  EXPECT_EQ(write("dbcop-hist", h), "[x:=1 y==?]\n[z==?]!\n---\n[x==1]\n[y:=0]\n---\n[y==0 x==7]\n");
  EXPECT_EQ(first_difference(h, read("dbcop-hist", write("dbcop-hist", h))), std::nullopt);

  const History json = read("dbcop-json", std::string(kWrapped));
  const auto again = read_history(ByteSource::from_memory("again", write("dbcop-json", json)));
  ASSERT_TRUE(again);
  EXPECT_EQ(first_difference(json, *again), std::nullopt);

  const History zeros = read("dbcop-hist", "[1==0 2:=1]\n---\n[2==1 1:=3]\n");
  for (const std::string_view format : {"dbcop-json", "dbcop-hist"})
    EXPECT_EQ(first_difference(zeros, read(format, write(format, zeros))), std::nullopt) << format;
}

TEST(DbcopWriters, RefuseWhatTheFormatsCannotSay) {
  const auto written = [](auto operations, std::string_view format) {
    HistoryBuilder b;
    TransactionHead head{.session = b.new_session()};
    operations(b, head);
    EXPECT_TRUE(b.finish(head));
    return write(format, std::move(b).build().value());
  };
  const auto expect = [](const std::string& got, std::string_view what) {
    EXPECT_NE(got.find(what), std::string::npos) << got;
  };
  expect(written([](auto& b, auto&) { b.write(b.key("x"), Scalar::integer(1)); }, "dbcop-json"),
         "keys that are strings");
  expect(written([](auto& b, auto&) { b.write(b.key("a b"), Scalar::integer(1)); }, "dbcop-hist"),
         "the key \"a b\"");
  expect(written([](auto& b, auto&) { b.write(b.key("7"), Scalar::integer(1)); }, "dbcop-hist"),
         "the key \"7\"");
  expect(written([](auto& b, auto&) { b.write(b.key("x"), Scalar::integer(-1)); }, "dbcop-hist"),
         "negative numbers");
  expect(written([](auto& b, auto&) { b.write(b.key("x"), b.pool().string("v")); }, "dbcop-hist"),
         "values that are strings");
  expect(written([](auto& b, auto&) { b.read(b.key("x"), Scalar::integer(0)); }, "dbcop-hist"),
         "a read of 0 from key x");
  expect(written(
             [](auto& b, auto&) {
               b.set_initial(Scalar::integer(0));
               b.write(b.key("x"), Scalar::integer(0));
               b.read(b.key("x"), Scalar::integer(0));
             },
             "dbcop-hist"),
         "starts with 0, which is also written");
  expect(written(
             [](auto& b, auto&) {
               b.set_initial(Scalar::integer(0));
               b.read(b.key("x"), Scalar::null());
             },
             "dbcop-hist"),
         "values that are null");
  expect(written(
             [](auto& b, TransactionHead& head) {
               b.write(b.key("x"), Scalar::integer(1));
               head.outcome = Outcome::Unknown;
             },
             "dbcop-hist"),
         "unknown outcomes");
}

TEST(DbcopWriters, LeaveOutOnlyWhatTheCallerAccepts) {
  HistoryBuilder b;
  b.set_note("note");
  const SessionId s = b.session("named");
  ASSERT_TRUE(b.finish({.session = s, .instants = {.begin = 1, .began = {}, .committing = {}, .end = {}}}));
  b.write(b.key("x"), Scalar::integer(1));
  ASSERT_TRUE(b.finish({.session = s, .name = Scalar::integer(4)}));
  const History h = std::move(b).build().value();
  EXPECT_NE(write("dbcop-hist", h).find("add --lossy"), std::string::npos);
  std::vector<std::string> left_out;
  EXPECT_EQ(write("dbcop-hist", h, {.lossy = true}, &left_out), "[x:=1]\n");
  EXPECT_EQ(left_out.size(), 5u);  // note, instants, the empty transaction, both kinds of names
}

TEST(DbcopFormats, ClaimOnlyTheirOwnFiles) {
  for (const char* other : {R"({"session": 1, "ops": [], "data": []})", R"({"assay": 1, "params": {}})",
                            "S1: r(x,0)", "r(1,2,3,4)", "r 1 2", "-\nr 1 2", "{:type :ok}", "[{:type :ok}]",
                            R"({"value": [["r",1,2]]})", R"({"type": "ok", "data": []})", "[[1]]", "[x]"}) {
    EXPECT_NE(detect_format(other), find_format("dbcop-json")) << other;
    EXPECT_NE(detect_format(other), find_format("dbcop-hist")) << other;
  }
}

TEST(Utf8, FindsTheFirstByteThatIsWrong) {
  EXPECT_EQ(first_invalid_utf8("plain \xc3\xa9 \xf0\x9f\x98\x80"), std::nullopt);
  EXPECT_EQ(first_invalid_utf8("a\xff"), 1u);
  EXPECT_EQ(first_invalid_utf8("\xc3\xa9\xc3"), 2u);
  EXPECT_EQ(first_invalid_utf8("\xc0\x80"), 0u);          // overlong
  EXPECT_EQ(first_invalid_utf8("ok\xed\xa0\x80"), 2u);    // a surrogate
  EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // beyond Unicode
  EXPECT_EQ(first_invalid_utf8("\x80 continuation"), 0u);
}

}  // namespace
}  // namespace assay

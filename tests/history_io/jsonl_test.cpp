#include <gtest/gtest.h>

#include "history/compare.h"
#include "history/describe.h"
#include "history_io/format_testing.h"
#include "support/hist.h"
#include "support/round_trip.h"

namespace assay {
namespace {

using test::hist;
using test::read_text;
using test::write_text;

std::string problem(std::string_view text) {
  const auto result = read_text(text, "jsonl");
  return result ? "accepted" : result.error().describe();
}

History jsonl(std::string_view text) {
  auto result = read_text(text, "jsonl");
  EXPECT_TRUE(result.has_value()) << result.error().describe();
  return std::move(result).value();
}

TEST(Jsonl, ReadsTheExampleOfTheFormat) {
  const History h = jsonl(R"({"assay": 1, "initial": 0, "note": "hello"}
{"session": 3, "txn": 17, "status": "committed", "begin": 1000, "end": 1250, "ops": [["r","x",0], ["w","x",1]]}
)");
  EXPECT_EQ(first_difference(h, hist("@note \"hello\"\n3: <17 @1000..1250> r(x,0) w(x,1)")), std::nullopt);
}

TEST(Jsonl, FieldsComeInAnyOrderAndUnknownOnesAreIgnored) {
  const History h =
      jsonl(R"({"ops":[["w",1,"a"]],"extra":{"deep":[1,2]},"status":"unknown","session":"s","begin":5})");
  EXPECT_EQ(first_difference(h, hist("@initial null\ns: <1 @5..> w(1,a)?")), std::nullopt);
}

TEST(Jsonl, AFieldThatStandsTwiceIsRefused) {
  for (const std::string_view field :
       {R"("ops":[])", R"("session":1)", R"("txn":5)", R"("status":"aborted")", R"("begin":1)"}) {
    EXPECT_EQ(problem(fmt::format(R"({{{0},"session":2,{0},"ops":[]}})", field)),
              fmt::format("test:1: two {} fields in one object (which one is meant?)",
                          field.substr(0, field.find(':'))));
  }
  EXPECT_EQ(problem(R"({"assay":1,"initial":0,"initial":1})"),
            "test:1: two \"initial\" fields in one object (which one is meant?)");
}

// Read as another field, and ignored, the first would make an aborted transaction committed.
TEST(Jsonl, AFieldsNameMayBeSpelledWithEscapes) {
  const History h = jsonl(R"({"assay":1,"\u0069nitial":7}
{"session":1,"\u0073tatus":"aborted","\u006fps":[["w","x",1]]})");
  EXPECT_EQ(first_difference(h, hist("@initial 7\n1: <2> w(x,1)!")), std::nullopt);
  EXPECT_EQ(problem(R"({"session":1,"\u006fps":[["w","x",1]],"ops":[]})"),
            "test:1: two \"ops\" fields in one object (which one is meant?)");
}

TEST(Jsonl, AHeaderSaysOnceWhatEveryKeyStartsWith) {
  const std::string transaction = "\n{\"session\":1,\"ops\":[[\"r\",\"x\",0]]}";
  for (const std::string header : {R"("no_initial":true,"initial":0)", R"("initial":0,"no_initial":true)",
                                   R"("initial":0,"initial_row":{"a":1})"})
    EXPECT_EQ(problem("{\"assay\":1," + header + "}" + transaction),
              "test:1: a header that says twice what every key starts with (one of \"initial\", "
              "\"initial_row\" and \"no_initial\")");
  for (const std::string header :
       {R"("no_initial":false,"initial":0)", R"("no_initial":true,"initial":{"x":0})",
        R"("initial_row":{"a":1},"initial":[["x",0]])"})
    EXPECT_EQ(problem("{\"assay\":1," + header + "}" + transaction), "accepted") << header;
}

TEST(Jsonl, AKeyStartsWithOneValue) {
  const std::string transaction = "\n{\"session\":1,\"ops\":[[\"r\",\"x\",1]]}";
  EXPECT_EQ(problem(R"({"assay":1,"initial":{"x":1,"x":2}})" + transaction),
            "test: key x starts with 1 and with 2 (say once what a key starts with)");
  EXPECT_EQ(problem(R"({"assay":1,"initial":[["x",1],["x",1]]})" + transaction), "accepted");
}

TEST(Jsonl, HeaderFieldsMeanNothingOnATransactionsLine) {
  for (const std::string_view text :
       {R"({"note":"n","initial":5,"session":1,"txn":1,"ops":[["r","x",null]]})",
        R"({"session":1,"txn":1,"no_initial":true,"initial":[["x",5]],"ops":[["r","x",null]]})"})
    EXPECT_EQ(first_difference(jsonl(text), hist("@initial null\n1: <1> r(x,null)")), std::nullopt);
  EXPECT_EQ(jsonl("{\"note\":\"n\",\"assay\":1}\n{\"session\":1,\"ops\":[]}").note(), "n");
}

TEST(Jsonl, ReadsEveryOperation) {
  const History h = jsonl(
      R"({"session":1,"ops":[["r","x",null],["w","x",true],["append","l",1],["r","l",[1,2]],["r","l",[]],["insert","y",{"b":1,"a":"q"}],)"
      R"(["delete","y"],["delete","y",false],["scan",1,9,[[2,5]]],["select",["and",["=","a",1],["not",["in","b",[1,"2"]]]],[["x",1]]],)"
      R"(["update",["between","v",1,2],[["x",{"v":3}]]],["update-maybe",["or",["null","v"],["like","v","a%"]],[["x",1],["y",2]],2]]})");
  EXPECT_EQ(first_difference(h, hist(R"(@initial null
    1: <1> r(x,null) w(x,true) append(l,1) r(l,[1 2]) r(l,[]) insert(y,{a:q,b:1}) delete(y) delete(y,false)
       scan(1,9,[2=5]) select(a = 1 and (not b in [1 "2"]),[x=1]) update(v between 1 and 2,[x={v:3}])
       update-maybe(v is null or v like "a%",[x=1 y=2],2))")),
            std::nullopt);
}

TEST(Jsonl, PlainOperationsAreReadAlikeWithAndWithoutWhiteSpace) {
  const History plain =
      jsonl(R"({"session":1,"ops":[["r",12,345],["w","k12",0],["r",-3,4],["w",5,123456789012345678901]]})");
  const History spaced = jsonl(
      R"({"session":1,"ops":[ [ "r" , 12 , 345 ], ["w", "k12", 0 ] , ["r",-3, 4],[ "w",5,123456789012345678901]]})");
  EXPECT_EQ(first_difference(plain, spaced), std::nullopt);
  EXPECT_EQ(describe(plain, OpId(0)), "r(12,345)");
  EXPECT_EQ(describe(plain, OpId(3)), "w(5,123456789012345678901)");
}

TEST(Jsonl, EscapedKeysAreTheSameKeys) {
  const History h = jsonl("{\"session\":1,\"ops\":[[\"r\",\"k\\u0031\",0],[\"w\",\"k1\",1]]}");
  EXPECT_EQ(h.key_count(), 1u);
}

TEST(Jsonl, InitialValuesPerKeyMeanTheKeyThatTheHistoryUses) {
  const History integers =
      jsonl("{\"assay\":1,\"initial\":{\"1\":5}}\n{\"session\":1,\"ops\":[[\"r\",1,5],[\"r\",2,null]]}");
  EXPECT_EQ(integers.key_count(), 2u);
  EXPECT_EQ(integers.initial_value(KeyId(0)), integers.value(OpId(0)));
  EXPECT_EQ(integers.initial_value(KeyId(1)), integers.value(OpId(1)));
  const History strings =
      jsonl("{\"assay\":1,\"initial\":{\"1\":5}}\n{\"session\":1,\"ops\":[[\"r\",\"1\",5]]}");
  EXPECT_EQ(strings.initial_value(KeyId(0)), strings.value(OpId(0)));
}

TEST(Jsonl, WritesWhatItReads) {
  for (const std::string_view text :
       {"@initial none\n1: r(x,5)",
        "@initial 7\n@initial (x=null \"1\"=2 1=3)\n1: r(x,null) r(1,3) r(\"1\",2) r(z,7)",
        "@note \"a\\nb\"\n1: <a @-5,-4..3,4> r(x,0)! | <b> ()", "s: r(\"\xc3\xa9\",\"\\u0001\")"}) {
    const History h = hist(text);
    const auto again = test::round_trip(h, "jsonl");
    ASSERT_TRUE(again.has_value()) << again.error().describe();
    EXPECT_EQ(first_difference(h, *again), std::nullopt) << *write_text(h, "jsonl");
  }
}

TEST(Jsonl, SaysWhereAndWhatIsWrong) {
  const std::string good = "{\"session\":1,\"txn\":9,\"ops\":[]}\n";
  EXPECT_EQ(problem(""), "test: the file is empty (a history has at least one line)");
  EXPECT_EQ(problem("\n\n"), "test:2: no transaction in the file");
  EXPECT_EQ(problem(good + "{\"session\":1,\"ops\":[[\"r\",\"x\""),
            "test:2: not one whole JSON object (is the file cut off? one transaction per line)");
  EXPECT_EQ(problem(good + good),
            "test:2: transaction id 9 is used twice (ids must be unique in the history)");
  EXPECT_EQ(problem(good + "[1]"), "test:2: expected a transaction or header, an object {...}");
  EXPECT_EQ(problem(good + "{\"ops\":[]}"),
            "test:2: a transaction without \"session\" (say to which session it belongs)");
  EXPECT_EQ(problem("{\"session\":1}"),
            "test:1: a transaction without \"ops\" (an empty transaction has \"ops\": [])");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[]} {}"),
            "test:1: something follows the object (one transaction per line)");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[]} x"),
            "test:1: not one whole JSON object (is the file cut off? one transaction per line)");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"q\",1,2]]}"),
            "test:1: operation 1: unknown operation \"q\" (r, w, append, one-of, insert, delete, scan, "
            "select, update or update-maybe)");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"r\",1,2],[\"r\",1]]}"),
            "test:1: operation 2: expected a value, but the operation ends");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"r\",1,2,3]]}"),
            "test:1: operation 1: an operation with too many elements");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"w\",[],2]]}"),
            "test:1: operation 1: a list where a single value is expected");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"w\",true,2]]}"),
            "test:1: operation 1: a key must be an integer or a string");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[3]}"),
            "test:1: operation 1: an operation must be a list such as [\"r\",\"x\",0]");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":7}"), "test:1: \"ops\" must be a list of operations");
  EXPECT_EQ(problem("{\"session\":1,\"status\":\"done\",\"ops\":[]}"),
            "test:1: unknown status \"done\" (committed, aborted or unknown)");
  EXPECT_EQ(problem("{\"session\":1,\"begin\":\"x\",\"ops\":[]}"),
            "test:1: \"begin\" must be an integer (nanoseconds)");
  EXPECT_EQ(problem("{\"session\":1.5,\"ops\":[]}"), "test:1: a session must be an integer or a string");
  EXPECT_EQ(problem("{\"assay\":2}"),
            "test:1: a version of the format that this program does not know (it knows \"assay\": 1)");
  EXPECT_EQ(problem(good + "{\"assay\":1}"), "test:2: a header that is not on the first line");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"w\",\"\xff\",2]]}"),
            "test:1: not valid JSON: The input is not valid UTF-8");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"w\",\"x\",1e99999999]]}"),
            "test:1: operation 1: not a number: 1e99999999");
  for (const std::string number : {"01", "-01", "1.", "1.e2", "00"})
    EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"w\",\"x\"," + number + "]]}"),
              "test:1: operation 1: not a number: " + number);
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"one-of\",\"x\",[]]]}"),
            "test:1: operation 1: one-of without a value (name what it can have returned)");
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"select\",[\"and\",[\"=\",\"a\",1]],[]]]}"),
            "test:1: operation 1: predicate \"and\" with 1 operands");
  EXPECT_EQ(problem(good + "{\"session\":1,\"end\":note 1250,\"ops\":[]}"),
            "test:2: not valid JSON: expected null");
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "[\"not\",";
  std::string closing(500, ']');
  EXPECT_EQ(problem("{\"session\":1,\"ops\":[[\"select\"," + deep + "[\"null\",\"a\"]" + closing + ",[]]]}"),
            "test:1: operation 1: a predicate that is nested too deeply");
}

// Every initial directive with every body: what was written and read back is the same history, or writing is
// refused.
TEST(Formats, KeepTheInitialStateOrRefuseToWriteIt) {
  const std::string directives[] = {"",
                                    "@initial 0\n",
                                    "@initial 7\n",
                                    "@initial null\n",
                                    "@initial none\n",
                                    "@initial {a:0}\n",
                                    "@initial word\n",
                                    "@initial (1=5)\n",
                                    "@initial (1={a:0})\n",
                                    "@initial none @initial (1=5)\n",
                                    "@initial 7 @initial (1=null 2=5)\n",
                                    "@initial {a:0} @initial (1={a:1})\n"};
  const std::string bodies[] = {"S1: w(1,1) | r(1,1)  S2: w(2,3)\n",
                                "S1: r(1,0) w(1,1)\n",
                                "S1: r(1,7) r(2,7)\n",
                                "S1: r(1,null) w(2,1)\n",
                                "S1: r(1,5) w(1,1)\n",
                                "S1: r(1,{a:0})\n",
                                "S1: r(2,{a:0}) w(1,1)\n",
                                "S1: append(3,1) r(3,[1])\n"};
  std::size_t same = 0;
  for (const std::string& directive : directives)
    for (const std::string& body : bodies) {
      const auto history = test::read_text(directive + body, "hist");
      ASSERT_TRUE(history) << directive << body << history.error().describe();
      for (const Format* format : formats()) {
        if (format->write == nullptr) continue;
        const auto written = test::write_as(format->id, *history, true);
        if (!written.error.empty()) continue;
        const auto again = test::read_text(written.bytes, format->id);
        ASSERT_TRUE(again) << format->id << "\n" << directive << body << again.error().describe();
        for (const OpId op : history->operations()) {
          const auto reads_initial = [&](const History& h) {
            return h.kind(op) == OpKind::Read && h.value(op) == h.initial_value(h.key(op));
          };
          EXPECT_EQ(reads_initial(*history), reads_initial(*again)) << format->id << "\n"
                                                                    << directive << body;
        }
        if (format->id == "jsonl" || format->id == "hist") {
          EXPECT_EQ(first_difference(*history, *again, {.names = false}), std::nullopt) << format->id << "\n"
                                                                                        << directive << body;
        }
        ++same;
      }
    }
  EXPECT_GT(same, 200u);
}

}  // namespace
}  // namespace assay

#include "format_testing.h"

namespace assay::test {
namespace {

TEST(ViperReader, ReadsOneTransactionPerLine) {
  const auto h = read_text(
      "{\"value\": [[\"r\", 7, 8812, false], [\"w\", 7, 5150, true]]}\n"
      "{\"preBeginTS\": 1, \"value\": [[\"r\", \"x\", 1, false]], \"isInitial\": false, \"isFinal\": true}\n",
      "viper");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->session_count(), 1u);
  ASSERT_EQ(h->transaction_count(), 2u);
  EXPECT_EQ(describe(*h, OpId(1)), "w(7,5150)");
  EXPECT_EQ(h->outcome(TxnId(1)), Outcome::Committed);
  EXPECT_FALSE(h->has_instants());
}

TEST(ViperReader, MakesReadsOfUnwrittenValuesInitial) {
  const auto h = read_text(
      "{\"value\": [[\"r\", 7, 1, false], [\"r\", 7, 2, false], [\"w\", 8, 3, true], [\"r\", 8, 3, "
      "false]]}\n",
      "viper");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->value(OpId(0)), h->initial_value(h->key(OpId(0))));
  EXPECT_EQ(h->value(OpId(1)), h->initial_value(h->key(OpId(0))));
  EXPECT_EQ(h->value(OpId(2)), h->value(OpId(3)));
}

TEST(ViperReader, DropsFailedWritesAndTakesTombstonesAsVersions) {
  const auto h = read_text(
      "{\"value\": [[\"w\", 7, 1, true], [\"w\", 7, 2, false]]}\n"
      "{\"value\": [[\"d\", 7, 3, 1, false, true]]}\n"
      "{\"value\": [[\"r\", 7, 3, true]]}\n",
      "viper");
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->operation_count(), 4u);
  EXPECT_EQ(describe(*h, OpId(0)), "w(7,1)");
  EXPECT_EQ(describe(*h, OpId(1)), "r(7,1)");
  EXPECT_EQ(describe(*h, OpId(2)), "w(7,3)");
  EXPECT_EQ(describe(*h, OpId(3)), "r(7,3)");
}

TEST(ViperReader, ReadsADirectoryOfLogsInNaturalOrder) {
  const TemporaryDirectory dir;
  dir.file("J10.log", "{\"value\": [[\"w\", 7, 1, true]]}\n");
  dir.file("J9.log", "{\"value\": [[\"r\", 7, 1, false]]}");
  dir.file("other.log", "no history");
  const auto h = read_history(dir.path());
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->session_count(), 2u);
  EXPECT_EQ(h->display(SessionId(0)), "J9");
  EXPECT_EQ(h->display(TxnId(1)), "J10:1");
}

TEST(ViperReader, NamesTheLineAndWhatItExpected) {
  const auto of = [](std::string_view op) {
    return error_of("viper", "\n{\"value\": [" + std::string(op) + "]}\n");
  };
  const std::string expected = "test:2: expected [\"r\" or \"w\", key, value, true or false], found ";
  const std::string remedy = " (keys and values are integers of 64 bits or strings)";
  EXPECT_EQ(of("[\"x\", 1, 1, true]"), expected + "'[\"x\",1,1,true]'" + remedy);
  EXPECT_EQ(of("[\"r\", 1, 1]"), expected + "'[\"r\",1,1]'" + remedy);
  EXPECT_EQ(of("[\"r\", 1, 1, 1]"), expected + "'[\"r\",1,1,1]'" + remedy);
  EXPECT_EQ(of("[\"r\", null, 1, true]"), expected + "'[\"r\",null,1,true]'" + remedy);
  EXPECT_EQ(of("[\"r\", 1, 1.5, true]"), expected + "'[\"r\",1,1.5,true]'" + remedy);
  EXPECT_EQ(of("[\"w\", 1, 9223372036854775808, true]"),
            expected + "'[\"w\",1,9223372036854775808,true]'" + remedy);
  EXPECT_EQ(of("{\"opType\": \"r\"}"), expected + "'{\"opType\":\"r\"}'" + remedy);
  EXPECT_EQ(of("[\"range\", 1, 9, [], []]"),
            "test:2: range queries are not supported (leave them out of the log)");
  EXPECT_EQ(of("[\"w\", 1, null, true]"),
            "test:2: null is written to key 1 (null means no version: use a delete, or another value)");
  EXPECT_EQ(error_of("viper", "{\"ops\": []}\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_EQ(error_of("viper", "[1]\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_EQ(error_of("viper", "{\"value\": 3}\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_TRUE(error_of("viper", "{\"value\": [\n").starts_with("test:1: this is not JSON: "));
  EXPECT_TRUE(error_of("viper", "{\"value\": [[\"r\", \"\xff\", 1, true]]}\n")
                  .starts_with("test:1: this is not JSON: "));
}

}  // namespace
}  // namespace assay::test

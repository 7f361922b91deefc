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
  EXPECT_EQ(
      of("[\"range\", 1, 9, [{\"id\": 10, \"val\": 1}], []]"),
      "test:2: expected [\"range\", low, high, rows, tombstones], found "
      "'[\"range\",1,9,[{\"id\":10,\"val\":1}],[]]' (bounds are integers of 64 bits, rows are {\"id\": key, "
      "\"val\": value} between them)");
  EXPECT_EQ(of("[\"w\", 1, 0, true]"),
            "test:2: 0 is written, which means in these logs that there is no row (write another value)");
  EXPECT_EQ(of("[\"w\", 1, null, true]"),
            "test:2: null is written to key 1 (null means no version: use a delete, or another value)");
  EXPECT_EQ(error_of("viper", "{\"ops\": []}\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_EQ(error_of("viper", "[1]\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_EQ(error_of("viper", "{\"value\": 3}\n"), "test:1: expected an object with a list \"value\"");
  EXPECT_TRUE(error_of("viper", "{\"value\": [\n").starts_with("test:1: this is not JSON: "));
  EXPECT_TRUE(error_of("viper", "{\"value\": [[\"r\", \"\xff\", 1, true]]}\n")
                  .starts_with("test:1: this is not JSON: "));
}

TEST(ViperReader, TakesRangesForScansAndLeavesOutBoundsWithoutARow) {
  const auto h = read_text(
      "{\"value\": [[\"w\", 4, 41, true], [\"i\", 5, 51, 0, false, true]]}\n"
      "{\"value\": [[\"range\", 4, 9, [{\"id\": 4, \"val\": 41}], [{\"id\": 5, \"val\": 51}]], [\"r\", 8, 0, "
      "false]]}\n"
      "{\"value\": [[\"range\", 3, 9, [], []], [\"range\", 7, 7, [], []]]}\n",
      "viper");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(describe(*h, OpId(1)), "r(5,null)");
  EXPECT_EQ(describe(*h, OpId(3)), "scan(4,8,[4=41 5=51])");
  EXPECT_EQ(describe(*h, OpId(4)), "r(8,null)");
  EXPECT_EQ(describe(*h, OpId(5)), "scan(4,8,[])");
  EXPECT_EQ(h->operation_count(), 6u);
}

TEST(ViperReader, TakesTimesThatBoundTheTransaction) {
  const std::string first =
      "{\"preBeginTS\": 10, \"postBeginTS\": 11, \"preCommitTS\": 12, \"postCommitTS\": 13, "
      "\"value\": [[\"w\", 1, 7, true]]}\n";
  const std::string second =
      "{\"preBeginTS\": 20, \"postBeginTS\": 21, \"preCommitTS\": 22, \"postCommitTS\": 23, "
      "\"value\": [[\"r\", 1, 7, false]]}\n";
  const auto h = read_text(first + second, "viper");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->instants(TxnId(0)), (Instants{0, 11, 12, 13}));
  EXPECT_EQ(h->instants(TxnId(1)), (Instants{13, 21, 22, 23}));  // it may have begun as soon as that
  const auto without = read_text(first + "{\"value\": [[\"r\", 1, 7, false]]}\n", "viper");
  ASSERT_TRUE(without);
  EXPECT_FALSE(without->has_instants());
  EXPECT_EQ(without->instants_reason(), "a transaction has no times, or they are not in order");
}

}  // namespace
}  // namespace assay::test

#include "format_testing.h"

namespace assay::test {
namespace {

constexpr std::int64_t kInitial = 0xbebeebee, kNothing = 0xdeadbeef, kGeneral = 0xabddefee;

std::string record(char tag, std::initializer_list<std::int64_t> fields) {
  std::string bytes(1, tag);
  for (const std::int64_t field : fields)
    for (int shift = 56; shift >= 0; shift -= 8)
      bytes += static_cast<char>(static_cast<std::uint64_t>(field) >> shift);
  return bytes;
}

std::string committed(std::int64_t txn, const std::string& operations) {
  return record('S', {txn}) + operations + record('C', {txn});
}

TEST(CobraReader, TakesTheWriteIdAsValueAndNothingAsInitial) {
  const auto h = read_text(
      committed(7, record('W', {100, 1, 55}) + record('R', {7, 100, 1, 55}) +
                       record('R', {kInitial, kInitial, 2, 77}) + record('R', {kNothing, kNothing, 3, 0})),
      "cobra");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->display(TxnId(0)), "7");
  EXPECT_EQ(h->outcome(TxnId(0)), Outcome::Committed);
  EXPECT_EQ(describe(*h, OpId(0)), "w(1,100)");
  EXPECT_EQ(describe(*h, OpId(1)), "r(1,100)");
  EXPECT_EQ(describe(*h, OpId(2)), "r(2,null)");
  EXPECT_EQ(describe(*h, OpId(3)), "r(3,null)");
  EXPECT_EQ(h->value(OpId(2)), h->initial_value(h->key(OpId(2))));
}

TEST(CobraReader, RecognisesAGeneralWorkloadAndTakesTheHashAsValue) {
  const auto h =
      read_text(committed(7, record('R', {kInitial, kInitial, 1, 5}) + record('W', {kGeneral, 1, 55}) +
                                 record('R', {kGeneral, kGeneral, 1, 55})),
                "cobra");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(describe(*h, OpId(0)), "r(1,null)");
  EXPECT_EQ(describe(*h, OpId(1)), "w(1,55)");
  EXPECT_EQ(describe(*h, OpId(2)), "r(1,55)");
}

TEST(CobraReader, LeavesTransactionsWithoutCommitUnknown) {
  const auto h =
      read_text(record('S', {1}) + record('W', {100, 1, 0}) + committed(2, "") + record('S', {3}), "cobra");
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->transaction_count(), 3u);
  EXPECT_EQ(h->outcome(TxnId(0)), Outcome::Unknown);
  EXPECT_EQ(h->outcome(TxnId(1)), Outcome::Committed);
  EXPECT_EQ(h->outcome(TxnId(2)), Outcome::Unknown);
}

TEST(CobraReader, LetsTheWriteIdDecideWhenTheWriterContradictsIt) {
  const auto h =
      read_text(committed(1, record('W', {100, 1, 0})) + committed(2, record('R', {99, 100, 1, 0})), "cobra");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->value(OpId(0)), h->value(OpId(1)));
}

TEST(CobraReader, KeepsOneWriteIdUnderTwoKeysApart) {
  const auto h = read_text(committed(1, record('W', {100, 1, 0}) + record('W', {100, 2, 0})), "cobra");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_NE(h->value(OpId(0)), h->value(OpId(1)));
}

TEST(CobraReader, ReadsLogsInNaturalOrderAndIgnoresOtherFiles) {
  const TemporaryDirectory dir;
  dir.file("T10.log", committed(1, ""));
  dir.file("T2.log", "");
  dir.file("T1.log", committed(2, ""));
  dir.file("T1.log.debug", "hello");
  dir.file("T3.error", "hello");
  const auto h = read_history(dir.path());
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->session_count(), 3u);
  EXPECT_EQ(h->display(SessionId(0)), "T1");
  EXPECT_EQ(h->display(SessionId(1)), "T2");
  EXPECT_EQ(h->display(SessionId(2)), "T10");
  EXPECT_TRUE(h->transactions(SessionId(1)).empty());
  EXPECT_EQ(h->display(TxnId(0)), "2");
}

TEST(CobraReader, LeavesTransactionsUnnamedWhenTwoLogsUseTheSameId) {
  const TemporaryDirectory dir;
  dir.file("T1.log", committed(1, ""));
  dir.file("T2.log", committed(1, ""));
  const auto h = read_history(dir.path());
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->display(TxnId(1)), "T2:1");
}

TEST(CobraReader, NamesTheLogOfADirectoryInItsErrors) {
  const TemporaryDirectory dir;
  dir.file("T1.log", committed(1, ""));
  dir.file("T2.log", "S123");
  const auto h = read_history(dir.path());
  ASSERT_FALSE(h);
  EXPECT_EQ(h.error().describe(),
            (dir / "T2.log") +
                ":byte 4: the file ends inside a record S (it is cut off; get the whole file again)");
}

TEST(CobraReader, NamesTheByteAndWhatItExpected) {
  const std::string s = record('S', {1}), w = record('W', {100, 1, 0});
  const auto error = [](const std::string& bytes) { return error_of("cobra", bytes); };
  const std::string cut = " (it is cut off; get the whole file again)";
  EXPECT_EQ(error(s + w.substr(0, 24)), "test:byte 33: the file ends inside a record W" + cut);
  EXPECT_EQ(error(s + "x"), "test:byte 9: a record begins with byte 0x78 (expected S, R, W or C)");
  EXPECT_EQ(error(s + "\xff"), "test:byte 9: a record begins with byte 0xff (expected S, R, W or C)");
  EXPECT_EQ(error(w), "test:byte 0: a record W outside of a transaction (expected S)");
  EXPECT_EQ(error(committed(1, "") + record('C', {1})),
            "test:byte 18: a record C outside of a transaction (expected S)");
  EXPECT_EQ(error(s + record('C', {2})), "test:byte 9: commit of transaction 2 inside transaction 1");
  EXPECT_EQ(error(s + record('W', {kNothing, 1, 0})),
            "test:byte 9: a write with id 0xdeadbeef (this id is kept for reads of the initial version)");
  EXPECT_EQ(error(s + record('R', {kInitial, 5, 1, 0})),
            "test:byte 9: a read of write id 5 by transaction 3200183278 "
            "(the writer and the id must both be the initial one, or neither)");
  EXPECT_EQ(error(s + w + record('R', {kGeneral, kGeneral, 1, 0})),
            "test:byte 34: no write id, but earlier operations had one (logs of a general workload cannot be "
            "mixed with others)");
  EXPECT_EQ(error(s + record('W', {kGeneral, 1, 0}) + w),
            "test:byte 34: a write id, but earlier operations had none (logs of a general workload cannot be "
            "mixed with others)");
}

History unique_values() {
  Integers h{Scalar::null()};
  const SessionId a = h.builder.session("T1"), b = h.builder.session("T2");
  h.txn(a, {{'n', 1, 0}, {'w', 1, 10}, {'w', -2, -11}}, Outcome::Committed, 70);
  h.txn(b, {{'r', 1, 10}, {'w', 1, 12}}, Outcome::Unknown, 0);
  h.txn(a, {{'r', 1, 12}, {'r', -2, -11}}, Outcome::Committed, INT64_MAX);
  h.txn(a, {}, Outcome::Committed, 5);
  return h.build();
}

TEST(CobraWriter, WritesUniqueValuesAsWriteIds) {
  const TemporaryDirectory dir;
  const History history = unique_values();
  ASSERT_TRUE(write_history(history, dir / "logs", *find_format("cobra")));
  auto source = ByteSource::open(dir / "logs/T2.log");
  ASSERT_TRUE(source);
  source->need(1000);
  EXPECT_EQ(source->window(), record('S', {0}) + record('R', {70, 10, 1, 10}) + record('W', {12, 1, 12}));
  const auto again = read_history(dir / "logs");
  ASSERT_TRUE(again) << again.error().describe();
  EXPECT_EQ(first_difference(history, *again), std::nullopt);
}

TEST(CobraWriter, WritesDuplicatesReservedIdsAndThinAirAsAGeneralWorkload) {
  for (const Op& last :
       {Op{'w', 1, 10}, Op{'w', 2, 10}, Op{'w', 1, kGeneral}, Op{'w', 1, kInitial}, Op{'r', 1, 99}}) {
    Integers h{Scalar::null()};
    const SessionId a = h.builder.session("T1");
    h.txn(a, {{'w', 1, 10}}, Outcome::Committed, 1).txn(a, {last, {'n', 3, 0}}, Outcome::Committed, 2);
    EXPECT_EQ(changed_by("cobra", h.build()), std::nullopt) << last.kind << last.key << "," << last.value;
  }
}

TEST(CobraWriter, KeepsEmptySessionsAndIntegerSessionNames) {
  Integers h{Scalar::null()};
  const SessionId a = h.builder.session(Scalar::integer(2));
  h.builder.session(Scalar::integer(10));
  h.txn(a, {{'w', 1, 10}}, Outcome::Committed, 1);
  EXPECT_EQ(changed_by("cobra", h.build()), std::nullopt);
}

TEST(CobraWriter, NumbersSessionsWhoseNamesWouldNotSortBack) {
  for (const std::string name : {"a/b", "..", "", "T2"}) {
    Integers h{Scalar::null()};
    const SessionId a = h.builder.session(name), b = h.builder.session("T1");
    h.txn(a, {{'w', 1, 10}}).txn(b, {{'w', 1, 11}});
    const History history = h.build();
    const TemporaryDirectory dir;
    const auto report = write_history(history, dir / "logs", *find_format("cobra"));
    ASSERT_TRUE(report) << report.error().describe();
    EXPECT_EQ(report->left_out, (std::vector<std::string>{"the names of sessions"}));
    EXPECT_EQ(changed_by("cobra", history, {.names = false}), std::nullopt);
  }
}

TEST(CobraWriter, RefusesWritesOfAbortedTransactionsAlways) {
  Integers h{Scalar::null()};
  h.txn(h.builder.new_session(), {{'w', 1, 10}}, Outcome::Aborted);
  EXPECT_EQ(changed_by("cobra", h.build(), {}, true),
            "cobra cannot express writes of aborted transactions (first at transaction 1:1) "
            "(write jsonl, which expresses everything)");
}

TEST(CobraWriter, LeavesOutAbortedTransactionsThatOnlyReadWhenAllowed) {
  Integers h{Scalar::null()};
  const SessionId s = h.builder.new_session();
  h.txn(s, {{'n', 1, 0}}, Outcome::Aborted).txn(s, {{'w', 1, 10}});
  const History history = h.build();
  EXPECT_EQ(
      changed_by("cobra", history, {}, false),
      "cobra cannot express aborted transactions (first at transaction 1:1) (add --lossy to leave them out)");
  EXPECT_EQ(changed_by("cobra", history, {}, true), "the number of transactions in session 1: 2 against 1");
}

TEST(CobraWriter, DoesNotTouchADirectoryThatHoldsSomething) {
  const TemporaryDirectory dir;
  dir.file("T1.log", "x");
  const auto report = write_history(unique_values(), dir.path(), *find_format("cobra"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().describe(), dir.path() + ": is already there (name a new directory)");
  EXPECT_EQ(std::filesystem::file_size(dir / "T1.log"), 1u);
}

TEST(CobraReader, ReadsTheSharedHistories) {
  ASSAY_NEED_SHARED_HISTORIES();
  struct Sample {
    const char* path;
    std::size_t sessions, transactions, operations;
  };
  for (const Sample& sample :
       {Sample{"cobra/blindw-rw-1000", 24, 961, 7688}, Sample{"cobra/rubis-1k", 8, 1018, 5046},
        Sample{"cobra/tpcc-1k", 8, 1760, 40535}, Sample{"bugs/cockroach-g2", 10, 446, 1338},
        Sample{"bugs/yugabyte-g2-a", 15, 37190, 86792}}) {
    const auto h = read_history(shared_histories() + "/" + sample.path);
    ASSERT_TRUE(h) << h.error().describe();
    EXPECT_EQ(h->session_count(), sample.sessions) << sample.path;
    EXPECT_EQ(h->transaction_count(), sample.transactions) << sample.path;
    EXPECT_EQ(h->operation_count(), sample.operations) << sample.path;
    EXPECT_EQ(changed_by("cobra", *h), std::nullopt) << sample.path;
  }
}

}  // namespace
}  // namespace assay::test

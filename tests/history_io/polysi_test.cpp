#include "format_testing.h"

namespace assay::test {
namespace {

TEST(PolysiReader, GroupsAlternatingLinesBySessionAndTransaction) {
  const auto h =
      read_text("w(1,10,7,100)\nr(1,0,8,200)\nw(2,11,7,100)\nr(2,0,8,200)\nr(1,10,7,101)\n", "polysi");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->session_count(), 2u);
  EXPECT_EQ(h->display(SessionId(0)), "7");
  ASSERT_EQ(h->transaction_count(), 3u);
  EXPECT_EQ(h->display(TxnId(0)), "100");
  EXPECT_EQ(h->display(TxnId(1)), "200");
  EXPECT_EQ(describe(*h, OpId(1)), "w(2,11)");
  EXPECT_EQ(h->operations(TxnId(1)).size(), 2u);
  EXPECT_EQ(h->value(h->initial_value(KeyId(0))), Scalar::integer(0));
}

TEST(PolysiReader, KeepsEqualIdsOfTwoSessionsApartAndUnnamed) {
  const auto h = read_text("w(1,10,1,5)\nw(1,11,2,5)\n", "polysi");
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->transaction_count(), 2u);
  EXPECT_EQ(h->display(TxnId(0)), "1:1");
  EXPECT_EQ(h->display(TxnId(1)), "2:1");
}

TEST(PolysiReader, MakesOneAbortedTransactionOfNeighbouringMinusOnes) {
  const auto h = read_text(
      "w(1,10,1,-1)\n"
      "w(9,90,2,3)\n"  // another session in between
      "r(1,0,1,-1)\n"  // dropped
      "w(2,11,1,-1)\n"
      "w(1,12,1,0)\n"
      "w(1,13,1,-1)\n",
      "polysi");
  ASSERT_TRUE(h) << h.error().describe();
  const auto txns = h->transactions(SessionId(0));
  ASSERT_EQ(txns.size(), 3u);
  EXPECT_EQ(h->outcome(txns[0]), Outcome::Aborted);
  EXPECT_EQ(h->operations(txns[0]).size(), 2u);
  EXPECT_EQ(h->outcome(txns[1]), Outcome::Committed);
  EXPECT_EQ(h->outcome(txns[2]), Outcome::Aborted);
  EXPECT_EQ(h->name(txns[2]), std::nullopt);
}

TEST(PolysiReader, ToleratesSpacesEmptyLinesAndAMissingLastNewline) {
  const auto h = read_text("\n  r ( 1 , 0 , 1 , 2 ) \r\n\n\tw(1,-5,1,2)", "polysi");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(describe(*h, OpId(1)), "w(1,-5)");
}

TEST(PolysiReader, NamesTheLineAndWhatItExpected) {
  const std::string expected = "expected r(key,value,session,txn) or w(key,value,session,txn), found ";
  EXPECT_EQ(error_of("polysi", "w(1,1,1,1)\nx(1,1,1,1)\n"), "test:2: " + expected + "'x(1,1,1,1)'");
  EXPECT_EQ(error_of("polysi", "w(1,1,1)\n"), "test:1: " + expected + "'w(1,1,1)'");
  EXPECT_EQ(error_of("polysi", "w(1,1,1,1,1)\n"), "test:1: " + expected + "'w(1,1,1,1,1)'");
  EXPECT_EQ(error_of("polysi", "w(1,1,1,1\n"), "test:1: " + expected + "'w(1,1,1,1'");
  EXPECT_EQ(error_of("polysi", "w(1,1,1,1) w(1,2,1,1)\n"), "test:1: " + expected + "'w(1,1,1,1) w(1,2,1,1)'");
  EXPECT_EQ(error_of("polysi", "w(a,1,1,1)\n"), "test:1: the key is 'a' (expected an integer)");
  EXPECT_EQ(error_of("polysi", "w(1,,1,1)\n"), "test:1: the value is '' (expected an integer)");
  EXPECT_EQ(error_of("polysi", "w(1,1.5,1,1)\n"), "test:1: the value is '1.5' (expected an integer)");
  EXPECT_EQ(error_of("polysi", "w(1,1,9223372036854775808,1)\n"),
            "test:1: the session '9223372036854775808' does not fit in 64 bits");
  EXPECT_EQ(error_of("polysi", "w(1,\xff\x01,1,1)\n"),
            "test:1: the value is '\\xff\\x01' (expected an integer)");
  EXPECT_EQ(error_of("polysi", "w(1,1,1,1)\n" + std::string(100, 'z')),
            "test:2: " + expected + "'" + std::string(40, 'z') + "...'");
}

TEST(PolysiWriter, KeepsEverythingItCanExpress) {
  EXPECT_EQ(changed_by("polysi", two_sessions(), {.names = false}), std::nullopt);
}

TEST(PolysiWriter, KeepsIntegerNames) {
  Integers h;
  const SessionId b = h.builder.session(Scalar::integer(30)), a = h.builder.session(Scalar::integer(-4));
  h.txn(a, {{'w', 1, 10}}, Outcome::Committed, 17);
  h.txn(b, {{'r', 1, 10}}, Outcome::Committed, 0);
  h.txn(b, {{'w', 2, 10}}, Outcome::Aborted);
  EXPECT_EQ(changed_by("polysi", h.build()), std::nullopt);
}

TEST(PolysiWriter, SaysWhichLabelsItLeavesOut) {
  Integers h;
  const SessionId a = h.builder.session("alice");
  h.builder.session("bob");
  h.txn(a, {{'w', 1, 10}}, Outcome::Committed, -5);
  const Written written = write_as("polysi", h.build());
  EXPECT_EQ(written.error, "");
  EXPECT_EQ(written.bytes, "w(1,10,1,0)\n");
  EXPECT_EQ(written.left_out, (std::vector<std::string>{"the names of transactions", "the names of sessions",
                                                        "1 empty session"}));
}

TEST(PolysiWriter, LeavesReadsOfAbortedAndEmptyTransactionsOutOnlyWhenAllowed) {
  Integers h;
  const SessionId a = h.builder.new_session();
  h.txn(a, {{'r', 1, 0}, {'w', 1, 10}}, Outcome::Aborted).txn(a, {{'w', 1, 11}}, Outcome::Aborted).txn(a, {});
  h.builder.set_note("a note");
  const History history = h.build();
  EXPECT_EQ(write_as("polysi", history).error,
            "polysi cannot express reads of aborted transactions (first at transaction 1:1) (add --lossy to "
            "leave them out)");
  const Written written = write_as("polysi", history, true);
  EXPECT_EQ(written.error, "");
  EXPECT_EQ(written.bytes, "w(1,10,1,-1)\nw(1,11,1,-1)\n");
  EXPECT_EQ(written.left_out,
            (std::vector<std::string>{"the note", "the reads of 1 aborted transaction",
                                      "the beginning of 1 aborted transaction", "1 empty transaction"}));
}

TEST(PolysiWriter, IsRecognisedAgain) {
  EXPECT_EQ(detect_format(write_as("polysi", two_sessions()).bytes), find_format("polysi"));
}

}  // namespace
}  // namespace assay::test

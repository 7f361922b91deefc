#include <cstring>

#include "format_testing.h"

namespace assay::test {
namespace {

std::string number(std::int64_t n) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &n, 8);
  return bytes;
}

std::string text(std::string_view t) { return number(static_cast<std::int64_t>(t.size())) + std::string(t); }

std::string header(std::string_view info = "") {
  std::string bytes;
  for (int i = 0; i < 5; ++i) bytes += number(-7);  // nobody may believe these
  return bytes + text(info) + text("") + text("");
}

std::string event(int is_write, std::int64_t key, std::int64_t value, int success = 1) {
  return std::string(1, static_cast<char>(is_write)) + number(key) + number(value) +
         std::string(1, static_cast<char>(success));
}

// 64 bytes of header, one session, one transaction with the events given.
std::string one_transaction(std::int64_t count, const std::string& events, std::string committed = "\1") {
  return header() + number(1) + number(1) + number(count) + events + committed;
}

constexpr std::size_t kFirstEvent = 64 + 24;

TEST(DbcopReader, ReadsEventsOutcomesAndTheNote) {
  const auto h =
      read_text(header("Galera") + number(2) + number(1) + number(2) + event(0, 5, 0) + event(1, 5, 9) +
                    "\1" + number(1) + number(1) + event(1, 5, 8) + std::string(1, '\0'),
                "dbcop");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->note(), "Galera");
  EXPECT_EQ(h->session_count(), 2u);
  EXPECT_EQ(describe(*h, OpId(0)), "r(5,0)");
  EXPECT_EQ(describe(*h, OpId(1)), "w(5,9)");
  EXPECT_EQ(h->outcome(TxnId(0)), Outcome::Committed);
  EXPECT_EQ(h->outcome(TxnId(1)), Outcome::Aborted);
  EXPECT_EQ(h->value(h->initial_value(KeyId(0))), Scalar::integer(0));
  EXPECT_EQ(h->display(TxnId(1)), "2:1");
}

TEST(DbcopReader, DropsFailedEvents) {
  const auto h = read_text(one_transaction(2, event(1, 5, 9, 0) + event(0, 5, 0)), "dbcop");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->operation_count(), 1u);
  EXPECT_EQ(describe(*h, OpId(0)), "r(5,0)");
}

TEST(DbcopReader, ReadsAFileLargerThanItsWindow) {
  std::string events;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) events += event(i % 2, i % 100, i);
  const auto h = read_text(one_transaction(kCount, events), "dbcop");
  ASSERT_TRUE(h) << h.error().describe();
  ASSERT_EQ(h->operation_count(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(describe(*h, OpId(kCount - 1)), "w(99,199999)");
}

TEST(DbcopReader, ReportsTheByteWhereTheFileIsCutOff) {
  const std::string whole = one_transaction(1, event(1, 5, 9));
  const std::string remedy = " (it is cut off; get the whole file again)";
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 39)), "test:byte 39: the file ends inside the header" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 45)),
            "test:byte 45: the file ends inside the number of bytes in info" + remedy);
  EXPECT_EQ(error_of("dbcop", header("abc").substr(0, 50)),
            "test:byte 50: the file ends inside info" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 64)),
            "test:byte 64: the file ends inside the number of sessions" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 79)),
            "test:byte 79: the file ends inside the number of transactions" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 87)),
            "test:byte 87: the file ends inside the number of events" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 100)), "test:byte 100: the file ends inside an event" + remedy);
  EXPECT_EQ(error_of("dbcop", whole.substr(0, 106)),
            "test:byte 106: the file ends inside a transaction" + remedy);
}

TEST(DbcopReader, RefusesEveryCutOffFile) {
  const std::string whole = one_transaction(2, event(1, 5, 9) + event(0, 5, 9));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(error_of("dbcop", whole.substr(0, size)), "no error") << size;
  EXPECT_EQ(error_of("dbcop", whole), "no error");
}

TEST(DbcopReader, RefusesTrailingBytes) {
  const std::string whole = one_transaction(1, event(1, 5, 9));
  EXPECT_EQ(error_of("dbcop", whole + "x"),
            "test:byte 107: bytes follow the last session "
            "(expected the end of the file: the number of sessions or the file is damaged)");
}

TEST(DbcopReader, RefusesCountsThatNoHistoryCanHave) {
  const std::string remedy = " (expected 0 to 4294967294)";
  EXPECT_EQ(error_of("dbcop", header() + number(-1)), "test:byte 64: the number of sessions is -1" + remedy);
  EXPECT_EQ(error_of("dbcop", header() + number(1) + number(INT64_MIN)),
            "test:byte 72: the number of transactions is -9223372036854775808" + remedy);
  EXPECT_EQ(error_of("dbcop", one_transaction(INT64_MAX, "")),
            "test:byte 80: the number of events is 9223372036854775807" + remedy);
  EXPECT_EQ(error_of("dbcop", std::string(40, '\0') + number(-5)),
            "test:byte 40: the number of bytes in info is -5" + remedy);
}

TEST(DbcopReader, BelievesALargeCountOnlyAsFarAsBytesFollow) {
  EXPECT_EQ(error_of("dbcop", one_transaction(4'000'000'000, event(1, 5, 9), "")),
            "test:byte 106: the file ends inside an event (it is cut off; get the whole file again)");
  EXPECT_EQ(error_of("dbcop", header() + number(4'000'000'000)),
            "test:byte 72: the file ends inside the number of transactions (it is cut off; get the whole "
            "file again)");
}

TEST(DbcopReader, RefusesBooleansOtherThanZeroAndOne) {
  EXPECT_EQ(error_of("dbcop", one_transaction(1, event(2, 5, 9))),
            "test:byte 88: the is-write byte is 2 (expected 0 or 1)");
  EXPECT_EQ(error_of("dbcop", one_transaction(2, event(0, 5, 9) + event(1, 5, 9, 255))),
            "test:byte 123: the success byte is 255 (expected 0 or 1)");
  EXPECT_EQ(error_of("dbcop", one_transaction(1, event(0, 5, 9), "\3")),
            "test:byte 106: the committed byte is 3 (expected 0 or 1)");
  static_assert(kFirstEvent == 88);
}

TEST(DbcopReader, RefusesANoteThatIsNotUtf8) {
  EXPECT_EQ(error_of("dbcop", header("\xff\xfe") + number(0)), "test:byte 48: info is not UTF-8");
}

TEST(DbcopWriter, KeepsEverythingItCanExpress) {
  EXPECT_EQ(changed_by("dbcop", two_sessions()), std::nullopt);
}

TEST(DbcopWriter, KeepsTheNoteAndEmptyTransactionsAndSessions) {
  Integers h;
  const SessionId a = h.builder.new_session();
  h.builder.new_session();
  h.txn(a, {});
  h.builder.set_note("a note");
  EXPECT_EQ(changed_by("dbcop", h.build()), std::nullopt);
}

TEST(DbcopWriter, IsRecognisedAgain) {
  const Written written = write_as("dbcop", two_sessions());
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(detect_format(written.bytes), find_format("dbcop"));
}

TEST(DbcopReader, ReadsTheSharedHistories) {
  ASSAY_NEED_SHARED_HISTORIES();
  const auto h = read_history(shared_histories() + "/general/BL-10k.bincode");
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(h->transaction_count(), 10'000u);
  EXPECT_EQ(h->operation_count(), 80'000u);
  EXPECT_EQ(h->note(), "PostgreSQL");
  EXPECT_EQ(changed_by("dbcop", *h), std::nullopt);
}

}  // namespace
}  // namespace assay::test

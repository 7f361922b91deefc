// Jepsen's store directories: which file is read, the binary format, and what Elle said.
#include "history_io/jepsen_store.h"

#include <zlib.h>

#include <fstream>

#include "format_testing.h"
#include "history_io/fressian.h"

namespace assay::test {
namespace {

std::string big(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> (8 * i));
  return text;
}

// Fressian, as Jepsen's writer chooses the codes.
std::string fr_int(std::int64_t value) {
  if (value >= -1 && value < 64) return std::string(1, static_cast<char>(value));
  return "\xf8" + big(static_cast<std::uint64_t>(value), 8);
}
std::string fr_text(const std::string& text) {
  return (text.size() < 8 ? std::string(1, static_cast<char>(0xda + text.size()))
                          : "\xe3" + fr_int(static_cast<std::int64_t>(text.size()))) +
         text;
}
std::string fr_key(const std::string& name) { return "\xca\xf7\xcd" + fr_text(name); }
std::string fr_list(const std::vector<std::string>& items) {
  std::string text = items.size() < 8 ? std::string(1, static_cast<char>(0xe4 + items.size()))
                                      : "\xec" + fr_int(static_cast<std::int64_t>(items.size()));
  for (const std::string& item : items) text += item;
  return text;
}
std::string fr_map(const std::vector<std::string>& items) { return "\xc0" + fr_list(items); }
std::string fr_struct(const std::string& tag, const std::vector<std::string>& fields) {
  std::string text = "\xef" + fr_text(tag) + fr_int(static_cast<std::int64_t>(fields.size()));
  for (const std::string& field : fields) text += field;
  return text;
}

std::string edn_of(const std::string& fressian) {
  FressianReader reader(fressian);
  Form form;
  const auto done = reader.read(form);
  return done ? edn_text(form.root()) : "error: " + done.error().describe();
}

TEST(Fressian, ReadsEachKindOfValue) {
  EXPECT_EQ(edn_of("\xff"), "-1");
  EXPECT_EQ(edn_of("\x3f"), "63");
  EXPECT_EQ(edn_of("\x50\x40"), "64");
  EXPECT_EQ(edn_of("\x4f\xfe"), "-2");
  EXPECT_EQ(edn_of("\x40" + std::string(1, '\0')), "-4096");
  EXPECT_EQ(edn_of("\x69\x11\x70"), "70000");
  EXPECT_EQ(edn_of("\x76" + big(3000000000u, 4)), "3000000000");
  EXPECT_EQ(edn_of("\x75" + big(0, 4)), "-4294967296");
  EXPECT_EQ(edn_of("\x7e" + big(0x0123456789ab, 6)), std::to_string(0x0123456789ab));
  EXPECT_EQ(edn_of(fr_int(INT64_MIN)), std::to_string(INT64_MIN));
  EXPECT_EQ(edn_of("\xfa" + big(0x3ff8000000000000, 8)), "1.5");
  EXPECT_EQ(edn_of("\xf5"), "true");
  EXPECT_EQ(edn_of("\xf7"), "nil");
  EXPECT_EQ(edn_of(fr_text("a\xc3\xa9")), "\"a\xc3\xa9\"");
  EXPECT_EQ(edn_of(fr_text("\xed\xa0\xbd\xed\xb8\x80")), "\"\xf0\x9f\x98\x80\"");  // a surrogate pair
  EXPECT_EQ(edn_of("\xe2\x02"
                   "ab\xdb"
                   "c"),
            "\"abc\"");
  EXPECT_EQ(edn_of(fr_key("ok")), ":ok");
  EXPECT_EQ(edn_of("\xca" + fr_text("ns") + fr_text("k")), ":ns/k");
  EXPECT_EQ(edn_of(fr_map({fr_key("a"), fr_list({fr_int(1), "\xf7"})})), "{:a [1 nil]}");
  EXPECT_EQ(edn_of("\xed\x01\x02\xfd"), "[1 2]");
  EXPECT_EQ(edn_of("\xee\x01"), "[1]");  // an open list may end with the file
  EXPECT_EQ(edn_of(fr_struct("persistent-hash-set", {fr_list({"\x01"})})), "#{1}");
  EXPECT_EQ(edn_of(fr_struct("map-entry", {"\x05", "\xf7"})), "[5 nil]");
  EXPECT_EQ(edn_of(fr_struct("bigint", {"\xd9\x09" + std::string("\x01", 1) + std::string(8, '\0')})),
            "18446744073709551616");
  EXPECT_EQ(edn_of(fr_struct("bigint", {"\xd1\xfe"})), "-2");
  EXPECT_EQ(edn_of(fr_struct("date-time", {fr_text("2020")})), "#date-time");
  EXPECT_EQ(edn_of("\xb0\x02\x07\x08"), "[7 8]");
  // The second value of a type refers to the first, and so does a name that was kept.
  EXPECT_EQ(edn_of(fr_list({fr_struct("vec", {fr_list({"\x01"})}), "\xa0" + fr_list({"\x02"})})),
            "[[1] [2]]");
  EXPECT_EQ(edn_of(fr_list({fr_key("ok"), "\xca\xf7\x80"})), "[:ok :ok]");
}

TEST(Fressian, RefusesWhatIsCutOffOrRefersToNothing) {
  EXPECT_EQ(edn_of(""), "error: a value is cut off");
  const std::string whole = fr_map({fr_key("history"), fr_list({fr_int(70000), fr_text("longer text")})});
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_EQ(edn_of(whole.substr(0, i)), "error: a value is cut off") << i;
  EXPECT_EQ(edn_of("\x85"), "error: a reference to a value that is not there");
  EXPECT_EQ(edn_of("\xa5"), "error: a value of a type that was not declared");
  EXPECT_EQ(edn_of("\xcd\x80"), "error: a reference to a value that is not there");  // to itself
  // Each value refers to the one before it twice.
  std::string bomb = "\xed\xcd\xe5\x01";
  for (int i = 0; i < 30; ++i) bomb += std::string("\xcd\xe6") + std::string(2, static_cast<char>(0x80 + i));
  EXPECT_EQ(edn_of(bomb), "error: references that repeat too much");
  EXPECT_EQ(edn_of("\xcd\xe5\xfe\x01"), "error: a value that is kept after all were forgotten");
  EXPECT_EQ(edn_of("\xec\xf8\x7f\xff\xff\xff\xff\xff\xff\xff"), "error: a value is cut off");
  EXPECT_EQ(edn_of(std::string(200, '\xe5')), "error: the data is nested more than 64 deep");
  EXPECT_EQ(edn_of("\xc0\xe5\x01"), "error: a map has a key without a value");
}

std::string block(int type, const std::string& data) {
  std::string header =
      big(28 + data.size(), 8) + big(0, 4) + big(static_cast<std::uint64_t>(type), 2) + std::string(14, '\0');
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size()));
  crc = crc32(crc, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size()));
  return header.replace(8, 4, big(crc, 4)) + data;
}

// A test file with these blocks; the last one is the root.
std::string jepsen_file(const std::vector<std::string>& blocks, int version = 1) {
  std::string body, index = big(blocks.size(), 4);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    index += big(i + 1, 4) + big(18 + body.size(), 8);
    body += blocks[i];
  }
  return "JEPSEN" + big(static_cast<std::uint64_t>(version), 4) + big(18 + body.size(), 8) + body +
         block(1, index);
}

std::string op(int index, const std::string& type, int process, const std::string& value) {
  return fr_struct("jepsen.history.Op", {fr_int(index), fr_int(100 + index), fr_key(type), fr_int(process),
                                         fr_key("txn"), value, "\xf7"});
}
std::string mop(const std::string& f, std::int64_t key, const std::string& value) {
  return fr_list({fr_key(f), fr_int(key), value});
}

std::string version_1() {
  const std::string first = op(0, "invoke", 0, fr_list({mop("w", 1, fr_int(7))})) +
                            op(1, "ok", 0, fr_list({mop("w", 1, fr_int(7))}));
  const std::string second =
      op(2, "invoke", 1, fr_list({mop("r", 1, "\xf7")})) + op(3, "ok", 1, fr_list({mop("r", 1, fr_int(7))}));
  return jepsen_file({block(4, first), block(4, second),
                      block(5, big(4, 8) + big(0, 8) + big(1, 4) + big(2, 8) + big(2, 4)),
                      block(2, fr_map({fr_key("name"), fr_text("etcd"), fr_key("history"),
                                       fr_struct("block-ref", {fr_int(3)})}))});
}

std::string shown(const Result<History>& history) {
  if (!history) return history.error().describe();
  std::string all;
  for (const TxnId t : history->transactions())
    for (const OpId op : history->operations(t)) all += describe(*history, op) + " ";
  return all;
}

TEST(JepsenFile, ReadsChunksOfAHistory) {
  const auto h = read_history(ByteSource::from_memory("test.jepsen", version_1()));
  ASSERT_TRUE(h) << h.error().describe();
  EXPECT_EQ(shown(h), "w(1,7) r(1,7) ");
  EXPECT_EQ(h->instants(TxnId(1)).begin, 102);
}

TEST(JepsenFile, ReadsTheListOfMapsOfVersion0) {
  const std::string ops = fr_list({fr_map({fr_key("type"), fr_key("ok"), fr_key("process"), fr_int(3),
                                           fr_key("value"), fr_list({mop("append", 4, fr_int(5))})})});
  EXPECT_EQ(shown(read_history(ByteSource::from_memory(
                "h", jepsen_file({block(2, ops),
                                  block(2, fr_map({fr_key("history"), fr_struct("block-ref", {fr_int(1)})}))},
                                 0)))),
            "append(4,5) ");
}

TEST(JepsenFile, RefusesDamage) {
  const std::string whole = version_1();
  for (std::size_t i = 6; i < whole.size(); ++i)
    EXPECT_FALSE(read_history(ByteSource::from_memory("h", whole.substr(0, i)), find_format("jepsen"))) << i;
  for (const std::size_t i : {40u, 60u, 200u, 300u}) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(read_history(ByteSource::from_memory("h", changed), find_format("jepsen"))) << i;
  }
  EXPECT_EQ(shown(read_history(ByteSource::from_memory("h", jepsen_file({}, 2)))),
            "h: version 2 of Jepsen's binary format is not known (read the history.edn beside it)");
}

constexpr const char* kText =
    "0\t:invoke\t:txn\t[[:w 1 7]]\n0\t:ok\t:txn\t[[:w 1 7]]\n"
    ":nemesis\t:info\t:start\tnil\n1\t:invoke\t:txn\t[[:r 1 nil]]\n1\t:info\t:txn\t[[:r 1 nil]]\t:timeout\n";

TEST(JepsenText, ReadsTheLinesOfHistoryTxt) {
  const auto h = read_history(ByteSource::from_memory("history.txt", kText));
  EXPECT_EQ(shown(h), "w(1,7) ");
  EXPECT_EQ(h->instant_kind(), InstantKind::Positions);
  EXPECT_EQ(shown(read_history(ByteSource::from_memory("h", std::string(kText) + "what is this\n"))),
            "h:6: expected an operation: process, type, function and value, with tabs between (read the "
            "history.edn beside it)");
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(JepsenStore, FindsTheHistoryOfARun) {
  const TemporaryDirectory store;
  const std::string run = store.path() + "/20250101T000000";
  std::filesystem::create_directory(run);
  std::filesystem::create_directory_symlink("20250101T000000", store.path() + "/latest");
  const Format* recognised = nullptr;
  write_file(run + "/history.txt", kText);
  EXPECT_EQ(shown(read_history(run, nullptr, &recognised)), "w(1,7) ");
  EXPECT_EQ(recognised->id, "jepsen");
  write_file(run + "/test.jepsen", version_1());
  EXPECT_EQ(shown(read_history(run)), "w(1,7) r(1,7) ");
  write_file(run + "/history.edn", "{:type :ok :process 0 :f :txn :value [[:w 2 2]]}\n");
  EXPECT_EQ(shown(read_history(store.path() + "/latest")), "w(2,2) ");
  write_file(run + "/history.edn", "{:type :ok :process 0 :f :txn :value [[:w 2 2]");
  EXPECT_NE(shown(read_history(run)).find("history.edn:1: "), std::string::npos);
}

TEST(JepsenStore, ReadsWhatElleSaid) {
  const TemporaryDirectory run;
  write_file(run.path() + "/results.edn",
             "{:perf {:valid? true},\n :workload {:valid? false, :anomaly-types (:G1c :incompatible-order),\n"
             "  :anomalies {:G1c [\"...\"]}, :not #{:read-committed}, :also-not #{:serializable}},\n"
             " :valid? false}");
  const auto results = read_jepsen_results(run.path() + "/history.edn");
  ASSERT_TRUE(results) << results.error().describe();
  EXPECT_EQ(results->valid, "false");
  EXPECT_EQ(results->anomalies, (std::vector<std::string>{"G1c", "incompatible-order"}));
  EXPECT_EQ(results->not_models, std::vector<std::string>{"read-committed"});
  write_file(run.path() + "/results.edn", "{:workload {:valid? :unknown} :valid? :unknown}");
  EXPECT_EQ(read_jepsen_results(run.path())->valid, "unknown");
}

}  // namespace
}  // namespace assay::test

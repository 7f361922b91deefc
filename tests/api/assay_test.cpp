// The library as another program sees it: nothing but its own headers is included here.
#include <assay/assay.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string words(const std::vector<assay::Finding>& findings) {
  std::string text;
  for (const assay::Finding& f : findings)
    text += (text.empty() ? "" : ", ") + f.level + " " + assay::word(f.verdict);
  return text;
}

assay::History hist(std::string_view text) { return *assay::read_bytes(text, "hist"); }

constexpr std::string_view kWriteSkew = "S1: r(x,0) w(y,1)\nS2: r(y,0) w(x,1)\n";

TEST(Library, JudgesAHistoryThatWasBuilt) {
  assay::HistoryBuilder builder;
  builder.set_initial(0);
  builder.read("x", 0).write("y", 1).finish({.session = "Ann"});
  builder.read("y", 0).write("x", 1).finish({.session = "Bob"});
  const auto history = builder.build();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(history->counts().transactions, 2u);
  const auto findings = assay::judge(*history, "ser, si");
  ASSERT_TRUE(findings) << findings.error().message;
  EXPECT_EQ(words(findings->levels()), "ser violated, si holds");
  EXPECT_EQ(findings->levels()[0].anomaly, "write-skew");
}

// What the builder makes is what a reader makes of the same history.
TEST(Library, BuildsEveryOperation) {
  using assay::Row, assay::Value, assay::where;
  assay::HistoryBuilder b;
  b.set_initial_of("c", 7);
  b.write("a", "text").append("l", 1).append("l", true).read("c", 7);
  b.finish({.session = 1, .name = "t1", .instants = {.begin = 10, .end = 20}});
  b.read("a", "text").read_list("l", {1, true}).read_one_of("a", {"text", nullptr});
  b.finish({.session = "two", .name = "t2", .outcome = assay::Outcome::Aborted});
  b.insert("r", Value::row({{"size", 3}, {"price", Value::number("0.10")}}));
  b.select(where("size", ">", {2}) && !where("price", "null"),
           {{"r", Value::row({{"price", Value::number("0.1")}, {"size", 3}})}});
  b.scan("a", "b", {{"a", "text"}});
  b.update(where("size", "between", {1, 9}) || where("size", "in", {1, 2}),
           {{"r", Value::row({{"size", 4}})}});
  b.update_maybe(where("size", "=", {4}), {{"r", Value::row({{"size", 5}})}}, 1);
  b.remove("r", true);
  b.finish({.session = 1, .name = "t3", .outcome = assay::Outcome::Unknown});
  const auto built = b.build();
  ASSERT_TRUE(built) << built.error().message;
  const auto text = assay::write_bytes(*built, "jsonl");
  ASSERT_TRUE(text) << text.error().message;
  const std::string expected =
      R"({"session":1,"txn":"t1","status":"committed","begin":10,"end":20,"ops":[["w","a","text"],["append","l",1],["append","l",true],["r","c",7]]})"
      "\n"
      R"({"session":"two","txn":"t2","status":"aborted","ops":[["r","a","text"],["r","l",[1,true]],["one-of","a",["text",null]]]})"
      "\n"
      R"({"session":1,"txn":"t3","status":"unknown","ops":[["insert","r",{"size":3,"price":0.1}],["select",["and",[">","size",2],["not",["null","price"]]],[["r",{"size":3,"price":0.1}]]],["scan","a","b",[["a","text"]]],["update",["or",["between","size",1,9],["in","size",[1,2]]],[["r",{"size":4}]]],["update-maybe",["=","size",4],[["r",{"size":5}]],1],["delete","r",true]]})"
      "\n";
  const auto read = assay::read_bytes("{\"assay\":1,\"initial\":{\"c\":7}}\n" + expected, "jsonl");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(text->bytes, assay::write_bytes(*read, "jsonl")->bytes);
}

TEST(Library, SaysWhatIsWrongWithATransaction) {
  assay::HistoryBuilder builder;
  builder.write("x", 1).append("x", 2).finish({.session = 1});
  builder.write("y", 1).finish({.session = 1});
  const auto history = builder.build();
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().kind, assay::Error::Kind::BadInput);
  EXPECT_THAT(history.error().message, HasSubstr("used both as a list and as a register"));
}

TEST(Library, RefusesWhatItCannotRead) {
  const auto missing = assay::read_history("/no/such/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, assay::Error::Kind::BadInput);
  EXPECT_EQ(missing.error().file, "/no/such/file");
  EXPECT_THAT(assay::read_bytes("").error().message, HasSubstr("empty"));
  EXPECT_THAT(assay::read_bytes({}).error().message, HasSubstr("empty"));
  const auto line = assay::read_bytes("{\"session\":1,\"ops\":[]}\n{\"session\":1,\"ops\":[[\"r\"]]}\n");
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().place, "2");
  EXPECT_FALSE(assay::read_bytes(kWriteSkew, "no-such-format"));
  EXPECT_FALSE(assay::judge(hist(kWriteSkew), "no-such-level"));
}

TEST(Library, ReadsAndWritesFiles) {
  const std::string file = testing::TempDir() + "assay-library.jsonl.gz";
  ASSERT_TRUE(assay::write_history(hist(kWriteSkew), file));
  const auto again = assay::read_history(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->format(), "jsonl");
  EXPECT_EQ(assay::write_bytes(*again, "jsonl")->bytes, assay::write_bytes(hist(kWriteSkew), "jsonl")->bytes);
  std::remove(file.c_str());
}

TEST(Library, NamesWhatAFormatCannotSay) {
  const assay::History history = hist("@note \"a note\"\nS1: <t @1..2> w(1,1)\n");
  EXPECT_FALSE(assay::write_bytes(history, "polysi"));
  const auto lossy = assay::write_bytes(history, "polysi", true);
  ASSERT_TRUE(lossy) << lossy.error().message;
  EXPECT_FALSE(lossy->left_out.empty());
  EXPECT_FALSE(assay::write_bytes(history, "cobra")) << "a directory";
}

TEST(Library, TellsVerdictsAsTheyAreFound) {
  std::vector<assay::Finding> heard;
  assay::Options options;
  options.on_verdict = [&](const assay::Finding& f) { heard.push_back(f); };
  const auto findings = assay::judge(hist(kWriteSkew), "rc, ser, si", options);
  ASSERT_TRUE(findings);
  EXPECT_EQ(words(heard), "ser violated, si holds, rc holds");
  EXPECT_EQ(words(findings->levels()), "rc holds, ser violated, si holds");
}

TEST(Library, ExplainsWhatIsViolated) {
  std::optional<assay::Findings> kept;
  {
    const assay::History history = hist("S1: r(x,0) w(x,1)\nS2: r(x,0) w(x,2)\nS3: r(z,0)\n");
    kept = *assay::judge(history, "ser, si, rc");
  }
  const auto all = assay::explain(*kept);
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 1u);
  EXPECT_EQ(kept->levels()[1].explanation, 0u);
  EXPECT_EQ(all->front().anomaly, "lost-update");
  EXPECT_EQ(all->front().title, "Lost update on x");
  EXPECT_EQ(all->front().levels, "ser, si");
  EXPECT_TRUE(all->front().minimal);
  EXPECT_EQ(all->front().part.counts().transactions, 2u);
  EXPECT_THAT(all->front().text, HasSubstr("comes before itself"));
  EXPECT_THAT(all->front().json, HasSubstr("\"anomaly\":\"lost-update\""));
}

TEST(Library, PrintsInEveryForm) {
  const auto findings = assay::judge(hist(kWriteSkew), "ser, si");
  ASSERT_TRUE(findings);
  using enum assay::Form;
  EXPECT_THAT(*assay::print(*findings, Text), HasSubstr("bytes\tser\tviolated\t"));
  EXPECT_THAT(*assay::print(*findings, FullText), HasSubstr("as a history of its own"));
  EXPECT_THAT(*assay::print(*findings, Json), StartsWith("{\"schema\""));
  EXPECT_THAT(*assay::print(*findings, Html), HasSubstr("</html>"));
  EXPECT_THAT(*assay::print(*findings, Dot), StartsWith("digraph"));
  EXPECT_THAT(*assay::print(*findings, JUnit), StartsWith("<?xml"));
  EXPECT_THAT(*assay::print(*findings, Dot, 0), StartsWith("digraph"));
  EXPECT_EQ(assay::print(*findings, Html, 0).error().kind, assay::Error::Kind::Misuse);
  EXPECT_EQ(assay::print(*findings, Text, 1).error().kind, assay::Error::Kind::Misuse);
}

TEST(Library, CertifiesItsVerdicts) {
  const assay::History history = hist(kWriteSkew), other = hist("S1: w(x,1)\n");
  const auto evidence = assay::certificate(*assay::judge(history, "ser, si"));
  ASSERT_TRUE(evidence);
  const auto claims = assay::certify(history, *evidence);
  ASSERT_TRUE(claims) << claims.error().message;
  ASSERT_EQ(claims->size(), 2u);
  EXPECT_EQ((*claims)[0].level, "ser");
  EXPECT_EQ((*claims)[0].verdict, assay::Verdict::Violated);
  EXPECT_EQ(assay::certify(other, *evidence).error().kind, assay::Error::Kind::Unchecked);
  EXPECT_EQ(assay::certify(history, {}).error().kind, assay::Error::Kind::BadInput);
  EXPECT_EQ(assay::certify(history, "nonsense").error().kind, assay::Error::Kind::BadInput);
  std::string wrong = *evidence;
  const std::size_t at = wrong.find("violated");
  ASSERT_NE(at, std::string::npos);
  const auto cut = assay::certify(history, wrong.substr(0, wrong.rfind("\n", wrong.size() - 2) + 1));
  EXPECT_FALSE(cut);
}

// Takes long enough to be stopped.
assay::History large(int transactions) {
  assay::HistoryBuilder b;
  b.set_initial(0);
  for (int t = 0; t < transactions; ++t) {
    for (int i = 0; i < 4; ++i) b.write(1000 * i + t % 500, 10 * t + i);
    b.finish({.session = t % 50});
  }
  return *b.build();
}

TEST(Library, StopsWhenItIsAsked) {
  const assay::History history = large(30'000);
  std::stop_source stop;
  assay::Options options;
  options.stop = stop.get_token();
  options.on_progress = [&](const assay::Progress&) { stop.request_stop(); };
  const auto findings = assay::judge(history, "ser, si", options);
  ASSERT_TRUE(findings) << findings.error().message;
  EXPECT_EQ(words(findings->levels()), "ser undecided, si undecided");
  EXPECT_THAT(findings->levels()[0].reason, StartsWith("interrupted"));
}

TEST(Library, KeepsLimitsOfTimeAndMemory) {
  const assay::History history = large(30'000);
  assay::Options options;
  options.seconds_per_level = 1e-6;
  auto findings = assay::judge(history, "ser", options);
  ASSERT_TRUE(findings);
  EXPECT_EQ(words(findings->levels()), "ser undecided");
  options = {};
  options.megabytes = 1;
  findings = assay::judge(history, "ser", options);
  ASSERT_TRUE(findings);
  EXPECT_THAT(findings->levels()[0].reason, HasSubstr("1 MB"));
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "{\"session\":1,\"ops\":[[\"w\",1," + std::to_string(i) + "]]}\n";
  const auto read = assay::read_bytes(text, "jsonl", options);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, assay::Error::Kind::Stopped);
}

TEST(Library, SaysWhatProgressItMakes) {
  std::vector<std::string> tasks;
  assay::Options options;
  options.on_progress = [&](const assay::Progress& p) { tasks.emplace_back(p.task); };
  ASSERT_TRUE(assay::judge(large(30'000), "ser", options));
  EXPECT_THAT(tasks, testing::Contains("ser"));
}

TEST(Library, LeavesOutLevelsThatTheHistoryCannotBeJudgedAt) {
  const auto findings = assay::judge(hist("S1: <t @1..> w(x,1)\n"), "all");
  ASSERT_TRUE(findings) << findings.error().message;
  for (const assay::Refused& refused : findings->refused())
    EXPECT_FALSE(refused.reason.empty()) << refused.level;
  EXPECT_FALSE(findings->refused().empty());
  EXPECT_FALSE(findings->notes().empty());
}

TEST(Library, MayBeUsedByManyThreads) {
  const assay::History history = hist(kWriteSkew);
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      const auto findings = assay::judge(history, "ser, si");
      right += findings && words(findings->levels()) == "ser violated, si holds";
    });
  threads.clear();
  EXPECT_EQ(right, 4);
}

TEST(Library, TakesColumns) {
  const std::int64_t session[] = {1, 2, 2}, key[] = {1, 7, 1, 7}, value[] = {0, 5, 0, 2}, element[] = {5, 6};
  const std::uint64_t end[] = {2, 3, 4};
  const std::uint8_t kind[] = {ASSAY_READ, ASSAY_APPEND, ASSAY_READ, ASSAY_LIST_READ}, null[] = {1, 0, 1, 0};
  assay_columns columns{};
  columns.transactions = 3;
  columns.operations = 4;
  columns.elements = 2;
  columns.session = session;
  columns.operations_end = end;
  columns.kind = kind;
  columns.key = key;
  columns.value = value;
  columns.is_null = null;
  columns.element = element;
  assay::HistoryBuilder builder;
  const auto history = builder.add_columns(columns).build();
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_THAT(assay::write_bytes(*history, "jsonl")->bytes, HasSubstr(R"([["r",1,null],["append",7,5]])"));
  EXPECT_THAT(assay::write_bytes(*history, "jsonl")->bytes, HasSubstr(R"([["r",7,[5,6]]])"));

  const auto refused = [](assay_columns wrong) {
    assay::HistoryBuilder b;
    return !b.add_columns(wrong).build();
  };
  assay_columns wrong = columns;
  wrong.elements = 1;
  EXPECT_TRUE(refused(wrong)) << "a list longer than what is left";
  wrong = columns;
  wrong.transactions = 2;
  EXPECT_TRUE(refused(wrong)) << "operations that belong to no transaction";
  wrong = columns;
  wrong.key = nullptr;
  EXPECT_TRUE(refused(wrong));
}

TEST(Library, SaysItsVersion) {
  EXPECT_EQ(assay_version_number(), ASSAY_VERSION_NUMBER);
  EXPECT_EQ(assay::version(), std::to_string(ASSAY_VERSION_MAJOR) + "." +
                                  std::to_string(ASSAY_VERSION_MINOR) + "." +
                                  std::to_string(ASSAY_VERSION_PATCH));
}

// A program with a mistake gets a status: the library neither crashes nor ends the process.
TEST(CInterface, SurvivesMisuse) {
  assay_history* history = nullptr;
  assay_findings* findings = nullptr;
  assay_claims* claims = nullptr;
  assay_bytes bytes{};
  assay_error* error = nullptr;
  EXPECT_EQ(assay_read_file(nullptr, nullptr, nullptr, &history, &error), ASSAY_MISUSE);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->status, ASSAY_MISUSE);
  assay_error_free(error);
  EXPECT_EQ(assay_read_file("x", nullptr, nullptr, nullptr, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_read_bytes(nullptr, 3, nullptr, nullptr, &history, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_write_file(nullptr, "x", nullptr, 0, nullptr, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_write_bytes(nullptr, "jsonl", 0, &bytes, nullptr, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_judge(nullptr, "ser", nullptr, &findings, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_print(nullptr, ASSAY_TEXT, 0, &bytes, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_certificate(nullptr, &bytes, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_certify(nullptr, "", 0, &claims, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_explanation_part(nullptr, 0, &history, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_findings_get(nullptr, 0, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_refused_level(nullptr, 0), nullptr);
  EXPECT_EQ(assay_note(nullptr, 0), nullptr);
  EXPECT_EQ(assay_builder_finish(nullptr, nullptr, nullptr), ASSAY_MISUSE);
  EXPECT_EQ(assay_history_counts(nullptr).transactions, 0u);
  assay_history_free(nullptr);
  assay_builder_free(nullptr);
  assay_findings_free(nullptr);
  assay_claims_free(nullptr);
  assay_error_free(nullptr);
  assay_bytes_free(nullptr);
}

TEST(CInterface, ChecksWhatABuilderIsGiven) {
  assay_builder* b = assay_builder_new();
  assay_history* history = nullptr;
  assay_operation op{};
  op.kind = ASSAY_WRITE;
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "null is no key";
  op.key.kind = ASSAY_INTEGER;
  op.value.kind = ASSAY_STRING;
  op.value.size = 1;
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_MISUSE) << "a string without text";
  op.value.text = "\xff";
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "not UTF-8";
  op.value.kind = ASSAY_NUMBER;
  op.value.text = "x";
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "not a number";
  op.value.kind = static_cast<assay_value_kind>(99);
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_MISUSE);
  op.kind = static_cast<assay_operation_kind>(99);
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_MISUSE);

  assay_field twice[2] = {{"c", {}}, {"c", {}}};
  op = {};
  op.kind = ASSAY_WRITE;
  op.key.kind = ASSAY_INTEGER;
  op.value.kind = ASSAY_ROW;
  op.value.fields = twice;
  op.value.size = 2;
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "a column twice";

  const assay_predicate_node lonely{"and", 2, nullptr, {}}, odd{"~", 1, "c", {}};
  op = {};
  op.kind = ASSAY_SELECT;
  op.predicate = &lonely;
  op.predicate_count = 1;
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "no tree";
  op.predicate = &odd;
  EXPECT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_BAD_INPUT) << "no operator";

  // Nothing of all that is left: the next transaction is alone.
  op = {};
  op.kind = ASSAY_WRITE;
  op.key.kind = op.value.kind = ASSAY_INTEGER;
  op.value.integer = 4;
  ASSERT_EQ(assay_builder_add(b, &op, nullptr), ASSAY_OK);
  EXPECT_EQ(assay_builder_build(b, nullptr, &history, nullptr), ASSAY_MISUSE) << "not finished";
  assay_transaction t{};
  t.session.kind = ASSAY_INTEGER;
  ASSERT_EQ(assay_builder_finish(b, &t, nullptr), ASSAY_OK);
  ASSERT_EQ(assay_builder_build(b, nullptr, &history, nullptr), ASSAY_OK);
  EXPECT_EQ(assay_history_counts(history).operations, 1u);
  assay_history_free(history);
  EXPECT_EQ(assay_builder_build(b, nullptr, &history, nullptr), ASSAY_BAD_INPUT) << "no transactions";
  assay_builder_free(b);
}

TEST(CInterface, ChecksOptions) {
  const assay::History history = hist(kWriteSkew);
  assay_findings* findings = nullptr;
  const auto judged = [&](assay_options options) {
    const assay_status status = assay_judge(history.c(), "ser", &options, &findings, nullptr);
    assay_findings_free(findings);
    return status;
  };
  assay_options options{};
  EXPECT_EQ(judged(options), ASSAY_MISUSE) << "no size";
  options.size = sizeof options + 8;
  EXPECT_EQ(judged(options), ASSAY_MISUSE) << "of a later version";
  options.size = sizeof options;
  EXPECT_EQ(judged(options), ASSAY_OK);
  options.size = offsetof(assay_options, megabytes);
  options.megabytes = UINT64_MAX;
  EXPECT_EQ(judged(options), ASSAY_OK) << "of an earlier version: the rest is not looked at";
  options.size = sizeof options;
  EXPECT_EQ(judged(options), ASSAY_MISUSE);
  options.megabytes = 0;
  options.seconds = -1;
  EXPECT_EQ(judged(options), ASSAY_MISUSE);
}

TEST(CInterface, ListsLevelsAndFormats) {
  assay_level level;
  assay_format format;
  ASSERT_GT(assay_level_count(), 10u);
  ASSERT_EQ(assay_level_get(0, &level), ASSAY_OK);
  EXPECT_STREQ(level.id, "pl-2");
  EXPECT_EQ(assay_level_get(assay_level_count(), &level), ASSAY_MISUSE);
  ASSERT_EQ(assay_format_get(0, &format), ASSAY_OK);
  EXPECT_STREQ(format.id, "jsonl");
  EXPECT_EQ(format.can_be_written, 1);
  EXPECT_EQ(assay_format_get(assay_format_count(), &format), ASSAY_MISUSE);
}

}  // namespace

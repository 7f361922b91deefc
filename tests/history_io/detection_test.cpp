// Content decides the format: each of these beginnings belongs to one format or to none here.
#include "format_testing.h"

namespace assay::test {
namespace {

std::string detected(std::string_view beginning) {
  const Format* format = detect_format(beginning);
  return format ? std::string(format->id) : "none";
}

TEST(Detection, KnowsTextFormatsByTheirFirstLine) {
  EXPECT_EQ(detected("r(1,0,1,1)\n"), "polysi");
  EXPECT_EQ(detected("\n w(1,-5,1,-1)"), "polysi");
  EXPECT_EQ(detected("w 0 0\nw 1 1\n=====\n"), "awdit");
  EXPECT_EQ(detected("{\"value\": [[\"r\", 1, 2, false]]}\n"), "viper");
  EXPECT_EQ(detected("{\"preBeginTS\": 1, \"postBeginTS\": 2, \"value\": []}\n"), "viper");
}

TEST(Detection, DoesNotTakeOtherFormatsForLogsOfItsOwn) {
  for (const std::string_view foreign :
       {"S1: r(x,0) w(x,1) | r(x,1)\n", "S1: r(1,0)\nS2: w(1,1)\n", "[x:=1 y==2]\n---\n[z==?]!\n", "---\n",
        "=====\n", "{:type :ok :f :txn :value [[:append 1 2]]}\n", "[{:type :invoke :value []}]",
        "{\"type\":\"ok\",\"f\":\"txn\",\"value\":[[\"r\",1,2]]}\n",
        "{\"value\":[[\"r\",1,2]],\"type\":\"ok\"}\n",
        "{\"params\":{},\"info\":\"\",\"start\":\"\",\"end\":\"\",\"data\":[]}", "# a comment\n",
        "// a comment\n", "", "r(1,0)\n", "w 1\n", "Some text that says nothing.\n"}) {
    const std::string id = detected(foreign);
    for (const std::string_view mine : {"dbcop", "polysi", "cobra", "viper", "awdit"})
      EXPECT_NE(id, mine) << foreign;
  }
}

TEST(Detection, FindsEverySharedHistoryOfTheseFormats) {
  ASSAY_NEED_SHARED_HISTORIES();
  std::FILE* labels = std::fopen((shared_histories() + "/labels.csv").c_str(), "r");
  ASSERT_NE(labels, nullptr);
  char line[1024];
  std::size_t checked = 0;
  while (std::fgets(line, sizeof line, labels)) {
    const std::string text(line);
    const std::string path = text.substr(0, text.find(','));
    const std::string format =
        text.substr(path.size() + 1, text.find(',', path.size() + 1) - path.size() - 1);
    const Format* row = find_format(format);
    if (row == nullptr || format == "elle") continue;
    const auto h = read_history(shared_histories() + "/" + path);
    EXPECT_TRUE(h.has_value()) << path;
    EXPECT_TRUE(h && h->transaction_count() > 0) << path;
    if (format == "cobra") {
      EXPECT_TRUE(row->looks_like_directory(shared_histories() + "/" + path)) << path;
    } else {
      auto source = ByteSource::open(shared_histories() + "/" + path);
      source->need(4096);
      EXPECT_EQ(detected(source->window().substr(0, 4096)), format) << path;
    }
    ++checked;
  }
  std::fclose(labels);
  EXPECT_GE(checked, 300u);
}

TEST(Reading, AHistoryWithoutTransactionsIsRefusedInEveryFormat) {
  const std::string kEmpty =
      "the history holds no transactions (there is nothing to judge; check that the recorder ran, "
      "and that this is its file)";
  EXPECT_EQ(error_of("jsonl", "{\"assay\":1,\"initial\":0}\n"), "test:" + (" " + kEmpty));
  EXPECT_EQ(error_of("hist", "@initial 0\nS1:\n"), "test: " + kEmpty);
  EXPECT_EQ(error_of("dbcop-json", "[[],[]]"), "test: " + kEmpty);
  for (const Format* format : formats()) {
    if (format->read == nullptr) continue;
    for (const std::string_view bytes : {"\n", "{}", "[]", "[[]]", "{\"data\":[]}", "@note \"\"",
                                         "S1:", "{\"assay\":1}", "0\n", "r(1,0,1,-1)\n"}) {
      const auto history = read_text(bytes, format->id);
      EXPECT_TRUE(!history || history->transaction_count() > 0) << format->id << ": " << bytes;
    }
  }
  const TemporaryDirectory journals;
  journals.file("header.json", "{\"assay\":1}\n");
  const auto history = read_history(journals.path(), find_format("journal"));
  ASSERT_FALSE(history.has_value());
}

}  // namespace
}  // namespace assay::test

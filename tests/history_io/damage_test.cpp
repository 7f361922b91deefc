// Whatever happens to the bytes of a file, reading it ends: with a history or with one line that says
// what is wrong. The fuzzers search deeper; this runs always, also under sanitizers.
#include <gtest/gtest.h>

#include "base/random.h"
#include "history_io/format.h"
#include "support/random.h"

namespace assay {
namespace {

struct Sample {
  const char* format;
  const char* text;
};

constexpr Sample kSamples[] = {
    {"elle", R"([{:index 0, :time 1, :type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r 2 nil]]}
#jepsen.history.Op{:index 1, :time 2, :type :ok, :process 0, :f :txn, :value [[:append :x 1] [:r 2 [3 4N]]]} ; done
{:type :info :process :nemesis :f :sessions :value [0 "b\u00e9"]} #_ {:a #{1}}
{:index 2 :type :fail :process 7 :value [[:w "k" 0.5M] [:r "k" nil]] :answered true :session "b" :txn "n"}])"},
    {"elle",
     R"([{"index":0,"time":1,"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r",2,null]]},
{"index":1,"time":2,"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r",2,[3,1e2]]],"txn":"n"},
{"index":2,"type":"info","process":3,"value":[["w","\u00e9",true]],"began":3,"end":9}])"},
    {"dbcop-json", R"({"params": {"id": 0}, "info": "i", "data": [
[{"events": [{"Read": {"variable": 0, "version": null}}, {"Write": {"variable": 0, "version": 1}}], "committed": true}],
[{"events": [["r", 0, 1]], "committed": false}]], "start": "s", "end": "e"})"},
    {"dbcop-hist", "// one\n[x:=1 y==2] [z==?]!\n---\n[x==1 7:=0]\n"},
};

std::string damaged(std::string text, Random& random) {
  constexpr std::string_view kLikely = "[](){}\"\\:;,#_!?=-0123456789nN \n\xff\xc3";
  for (std::uint64_t i = 0; i <= random.below(4); ++i) {
    const std::size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text[at] = kLikely[random.below(kLikely.size())]; break;
      case 1: text.insert(at, 1, kLikely[random.below(kLikely.size())]); break;
      case 2: text.erase(at, 1 + random.below(8)); break;
      default: text.insert(at, text.substr(random.below(text.size()), random.below(30))); break;
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST(Readers, AnswerOrRefuseDamagedFilesOnOneLine) {
  Random random(test::suite_seed("Readers.AnswerOrRefuseDamagedFilesOnOneLine"));
  for (const Sample& sample : kSamples) {
    ASSERT_EQ(detect_format(sample.text), find_format(sample.format));
    ASSERT_TRUE(read_history(ByteSource::from_memory("f", sample.text)));
    for (int i = 0; i < 2000; ++i) {
      const std::string text = damaged(sample.text, random);
      const auto history = read_history(ByteSource::from_memory("f", text), find_format(sample.format));
      if (history) continue;
      const std::string what = history.error().describe();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_TRUE(what.starts_with("f:")) << what;
    }
  }
}

}  // namespace
}  // namespace assay

// Damaged files are errors or other histories, never a crash or an endless loop: valid inputs with a
// few bytes changed, cut out or doubled. The seed is printed.
#include "base/random.h"
#include "format_testing.h"
#include "support/random.h"

namespace assay::test {
namespace {

constexpr const char* kEdn =
    R"([{:index 0, :time 1, :type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r 2 nil]]}
#jepsen.history.Op{:index 1, :time 2, :type :ok, :process 0, :value [[:append :x 1] [:r 2 [3 4N]]]} ; done
{:type :info :process :nemesis :f :sessions :value [0 "b\u00e9"]} #_ {:a #{1}}
{:index 2 :type :fail :process 7 :value [[:w "k" 0.5M] [:r "k" nil]] :answered true :session "b" :txn "n"}])";
constexpr const char* kElleJson =
    R"([{"index":0,"time":1,"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r",2,null]]},
{"index":1,"time":2,"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r",2,[3,1e2]]],"txn":"n"},
{"index":2,"type":"info","process":3,"value":[["w","\u00e9",true]],"began":3,"end":9}])";
constexpr const char* kDbcopJson = R"({"params": {"id": 0}, "info": "i", "data": [
[{"events": [{"Read": {"variable": 0, "version": null}}, {"Write": {"variable": 0, "version": 1}}],
  "committed": true}], [{"events": [["r", 0, 1]], "committed": false}]], "start": "s", "end": "e"})";

std::string damaged(std::string bytes, Random& random) {
  for (std::uint64_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = 1 + random.below(20);
    switch (random.below(4)) {
      case 0: bytes[at] = static_cast<char>(random.below(256)); break;
      case 1: bytes.erase(at, length); break;
      case 2: bytes.insert(at, bytes.substr(at, length)); break;
      case 3: bytes.resize(at); break;
    }
  }
  return bytes;
}

TEST(DamagedInput, EndsInAnErrorOrAHistory) {
  Random random(suite_seed("DamagedInput"));
  const std::string cobra = [] {
    const TemporaryDirectory dir;
    Integers h{Scalar::null()};
    h.txn(h.builder.session("T1"), {{'n', 1, 0}, {'w', 1, 10}, {'r', 1, 10}}, Outcome::Committed, 3);
    EXPECT_TRUE(write_history(h.build(), dir / "logs", *find_format("cobra")));
    auto source = ByteSource::open(dir / "logs/T1.log");
    source->need(1000);
    return std::string(source->window());
  }();
  const std::pair<std::string_view, std::string> inputs[] = {
      {"dbcop", write_as("dbcop", two_sessions()).bytes},
      {"polysi", write_as("polysi", two_sessions()).bytes},
      {"cobra", cobra},
      {"viper", "{\"value\": [[\"r\", 7, 8812, false], [\"w\", \"k\", 5150, true]]}\n{\"value\": []}\n"},
      {"awdit", "w 0 0\nw 1 1\n=====\nr 0 2\n-----\nr 1 1"},
      {"elle", kEdn},
      {"elle", kElleJson},
      {"dbcop-json", kDbcopJson},
      {"dbcop-hist", "// one\n[x:=1 y==2] [z==?]!\n---\n[x==1 7:=0]\n"},
  };
  for (const auto& [format, bytes] : inputs) {
    ASSERT_EQ(error_of(format, bytes), "no error");
    for (std::size_t i = scaled(10'000, 200); i > 0; --i) {
      const auto history = read_text(damaged(bytes, random), format);
      if (history) continue;
      EXPECT_FALSE(history.error().what.empty());
      EXPECT_EQ(history.error().describe().find('\n'), std::string::npos) << history.error().describe();
    }
  }
}

}  // namespace
}  // namespace assay::test

#include "history/digest.h"

#include <gtest/gtest.h>

#include "history/builder.h"
#include "support/hist.h"
#include "support/round_trip.h"

namespace assay::test {
namespace {

History from(std::string_view text, std::string_view format = "jsonl") {
  auto history = read_text(text, format);
  EXPECT_TRUE(history) << history.error().describe();
  return std::move(history).value();
}

TEST(Digest, IsTheHashOfItsText) {
  const History h = hist("S1: r(1,0) w(1,1)  S2: r(1,1)");
  EXPECT_EQ(digest_text(h),
            "session 1 committed\n[\"r\",1,0] initial\n[\"w\",1,1]\nsession 2 committed\n[\"r\",1,1]\n");
  // Computed by an independent implementation of FNV-1a.
  EXPECT_EQ(digest(h), 0xc2657653dc8d8aeeu);
  EXPECT_EQ(digest(HistoryBuilder().build().value()), 0xcbf29ce484222325u);
}

TEST(Digest, DoesNotDependOnTheFormat) {
  const History h = hist("S1: r(1,0) w(1,1) | r(1,1) w(2,5)  S2: r(2,5) w(2,6) | w(1,9)!  S3: r(2,6)");
  for (const char* format : {"jsonl", "hist", "dbcop", "dbcop-json", "dbcop-hist"}) {
    const auto again = round_trip(h, format);
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_EQ(digest_text(*again), digest_text(h)) << format;
    EXPECT_EQ(digest(*again), digest(h)) << format;
  }
}

TEST(Digest, IgnoresInitialValuesThatNobodyRead) {
  EXPECT_EQ(digest(from(R"({"assay":1,"initial":0}
{"session":1,"ops":[["w","x",1]]})")),
            digest(from(R"({"session":1,"ops":[["w","x",1]]})")));
}

TEST(Digest, IgnoresNamesAndNotes) {
  EXPECT_EQ(digest(from(R"({"assay":1,"note":"n"}
{"session":"a","txn":"t1","ops":[["w","x",1]]}
{"session":"b","txn":"t2","ops":[["r","x",1.0]]})")),
            digest(from(R"({"session":9,"ops":[["w","x",1]]}
{"session":7,"ops":[["r","x",1]]})")));
}

TEST(Digest, SeesEverythingElse) {
  const std::string_view base = R"({"session":1,"ops":[["w","x",1],["r","y",2]]})";
  const std::uint64_t digested = digest(from(base));
  for (const std::string_view other :
       {R"({"session":1,"ops":[["r","y",2],["w","x",1]]})",
        R"({"session":1,"ops":[["w","x","1"],["r","y",2]]})",
        R"({"session":1,"ops":[["w","z",1],["r","y",2]]})", R"({"session":1,"ops":[["w","x",1]]})",
        R"({"session":1,"status":"aborted","ops":[["w","x",1],["r","y",2]]})",
        R"({"session":1,"status":"unknown","ops":[["w","x",1],["r","y",2]]})",
        R"({"session":1,"begin":1,"ops":[["w","x",1],["r","y",2]]})",
        R"({"session":1,"began":1,"ops":[["w","x",1],["r","y",2]]})",
        "{\"assay\":1,\"initial\":2}\n{\"session\":1,\"ops\":[[\"w\",\"x\",1],[\"r\",\"y\",2]]}",
        "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n{\"session\":1,\"ops\":[[\"r\",\"y\",2]]}",
        "{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n{\"session\":2,\"ops\":[[\"r\",\"y\",2]]}"})
    EXPECT_NE(digest(from(other)), digested) << other;
}

TEST(Digest, SpellsEveryKindOfOperation) {
  const std::string_view ops =
      R"(["append","l",1],["r","l",[1,"a"]],["insert","k\n",{"b":1,"a":null}],["delete","k\n"],["delete","k\n",true],)"
      R"(["scan",1,9,[[2,5],[4,7.50]]],["select",["and",["<","value",7],["in","c",[1,2]]],[[2,5]]],)"
      R"(["update",["not",["null","c"]],[]],["update-maybe",["between","c",1,2],[[2,6]],1])";
  const History h =
      from(std::string(R"({"assay":1,"initial":{"z":3,"l2":null}})") + "\n" +
           R"({"session":1,"status":"unknown","begin":-5,"end":10,"ops":[)" + std::string(ops) + "]}");
  EXPECT_EQ(digest_text(h), R"(session 1 unknown begin -5 end 10
["append","l",1]
["r","l",[1,"a"]]
["insert","k\n",{"a":null,"b":1}]
["delete","k\n"]
["delete","k\n",true]
["scan",1,9,[[2,5],[4,7.5]]]
["select",["and",["<","value",7],["in","c",[1,2]]],[[2,5]]]
["update",["not",["null","c"]],[]]
["update-maybe",["between","c",1,2],[[2,6]],1]
initial ["z",3]
)");
}

}  // namespace
}  // namespace assay::test

// `assay matrix` on the simulated store, whose levels are known.
#include <nlohmann/json.hpp>

#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using MatrixCommand = Command;

TEST_F(MatrixCommand, SaysWhichLevelsWereKeptAndWhatBrokeTheOthers) {
  ASSERT_EQ(assay("matrix --db simulated:rc --db simulated:ser --seconds 0.2 --seed 1 --json"), 0) << err_;
  const auto json = nlohmann::json::parse(out_);
  ASSERT_EQ(json["matrix"].size(), 4u);
  const auto &weak = json["matrix"][0], &strong = json["matrix"][2];
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_EQ(json["matrix"][i]["data"], "keys");
    EXPECT_EQ(json["matrix"][i + 1]["data"], "rows");
    EXPECT_TRUE(json["matrix"][i]["unsettled"].empty());
  }
  EXPECT_EQ(weak["claims"], "rc");
  EXPECT_EQ(weak["keeps_its_claim"], true);
  EXPECT_EQ(weak["kept"], nlohmann::json({"pl-2", "mav", "rc"}));
  EXPECT_TRUE(weak["broken"].contains("si") && weak["broken"].contains("ra"));
  for (const auto& [level, witness] : weak["broken"].items()) {
    const auto& rules_out = weak["witnesses"][witness.get<std::size_t>()]["rules_out"];
    EXPECT_NE(std::find(rules_out.begin(), rules_out.end(), level), rules_out.end()) << level;
  }
  EXPECT_TRUE(strong["broken"].empty() || !strong["broken"].contains("ser")) << strong["broken"];
  EXPECT_GE(strong["runs"], 5);
}

TEST_F(MatrixCommand, EveryWitnessBreaksWhatItIsSaidToBreak) {
  ASSERT_EQ(assay("matrix --db simulated:cc --seconds 0.2 --seed 2 --json"), 0) << err_;
  const auto json = nlohmann::json::parse(out_);
  const auto& row = json["matrix"][0];
  ASSERT_FALSE(row["broken"].empty());
  for (const auto& [level, witness] : row["broken"].items()) {
    const auto part = write(
        "part.jsonl", row["witnesses"][witness.get<std::size_t>()]["subhistory"]["jsonl"].get<std::string>());
    EXPECT_EQ(assay("check --quiet --level " + level + " " + part), 1) << level << err_;
  }
}

TEST_F(MatrixCommand, PrintsATableAndWritesAPageThatNeedsNothingElse) {
  ASSERT_EQ(assay("matrix --db simulated:rc --seconds 0.2 --seed 3 --report " + file("m.html")), 0) << err_;
  EXPECT_THAT(
      out_,
      AllOf(HasSubstr("database                   isolation  data  claims  pl-2  mav  rc  plain-ra  ra  cc"),
            HasSubstr("the simulated store at rc  rc         keys  rc      +     +    +   x         x   x"),
            HasSubstr("\nthe simulated store at rc, rc breaks plain-ra, ra, ")));
  const std::string page = content(file("m.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("<th>the simulated store at rc</th>"), HasSubstr("href=\"#w1-1\""),
                          HasSubstr("id=\"w1-1\""), HasSubstr("non-repeatable-read")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("src=")), Not(HasSubstr("<script")), Not(HasSubstr("<link"))));
  ASSERT_EQ(assay("matrix --db simulated:rc --seconds 0.2 --quiet"), 0);
  EXPECT_THAT(out_, Not(HasSubstr("breaks")));
}

TEST_F(MatrixCommand, ShowsAPasswordNowhere) {
  ASSERT_EQ(assay("matrix --db 'sqlite:" + file("x.db") + "?password=hunter2' --seconds 0.2 --report " +
                  file("m.html")),
            0)
      << err_;
  EXPECT_THAT(out_ + err_ + content(file("m.html")), Not(HasSubstr("hunter2")));
  EXPECT_THAT(content(file("m.html")), HasSubstr("password=***"));
}

TEST_F(MatrixCommand, RefusesWhatItCannotReach) {
  for (const char* arguments :
       {"--db nonsense:", "--db simulated:gsi", "--seconds 0", "--db sqlite:/nonexistent/x"}) {
    EXPECT_EQ(assay("matrix " + std::string(arguments)), 2) << arguments;
    EXPECT_EQ(out_, "");
  }
}

}  // namespace
}  // namespace assay::test

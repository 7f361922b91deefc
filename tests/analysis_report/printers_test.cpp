// What each printer says about the same findings, and that no name in them can break out of the form it is
// printed in.
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis_report/baseline.h"
#include "analysis_report/study_fixture.h"

namespace assay::analysis_report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Printers = Study;

std::optional<std::string> no_picture(const std::string&) { return std::nullopt; }

TEST_F(Printers, TextHasALineForEachLevelAndTheStatementsOfTheCycle) {
  const std::string text = as_text(study_programs(std::string(kWithdrawal), "rc"));
  EXPECT_THAT(text, StartsWith("# a.sql over 1 table: withdraw\nrc\t1 anomaly found\t"));
  EXPECT_THAT(text, AllOf(HasSubstr("\tlost-update\n"), HasSubstr("  T1  withdraw(id => "),
                          HasSubstr("T1 -RW-> T2  account("),
                          HasSubstr("a.sql:4: UPDATE account SET balance = :amount WHERE id = :id\n")));
}

TEST_F(Printers, TextShowsOneAnomalyOfEachLevelInATable) {
  const std::string text = as_text(study_programs(std::string(kWithdrawal) + std::string(kSwap), ""));
  EXPECT_THAT(text, AllOf(HasSubstr("weakest safe level: "), HasSubstr(" more at ")));
}

TEST_F(Printers, JsonIsOneObjectWithEveryAnomaly) {
  const auto json = nlohmann::json::parse(as_json(study_programs(std::string(kWithdrawal), "rc")));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["programs"], nlohmann::json({"withdraw"}));
  const auto& anomaly = json["results"][0]["anomalies"][0];
  EXPECT_EQ(anomaly["anomaly"], "lost-update");
  EXPECT_EQ(anomaly["cycle"].size(), 2u);
  EXPECT_EQ(anomaly["cycle"][0]["from"]["file"], "a.sql");
  EXPECT_FALSE(anomaly.contains("known"));
}

TEST_F(Printers, SarifNamesTheToolAndTheLines) {
  const auto json = nlohmann::json::parse(as_sarif(study_programs(std::string(kWithdrawal), "rc"), "1.2.3"));
  const auto& run = json["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["results"][0]["ruleId"], "lost-update");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.sql");
}

TEST_F(Printers, JunitCountsALevelWithNewAnomaliesAsAFailure) {
  AnalysisView& view = study_programs(std::string(kWithdrawal), "rc");
  EXPECT_THAT(as_junit(view), AllOf(HasSubstr("tests=\"1\" failures=\"1\" errors=\"0\""),
                                    HasSubstr("type=\"anomaly\">"), HasSubstr("T1 -RW-&gt; T2")));
  view.levels[0].known = {true};
  EXPECT_THAT(as_junit(view), AllOf(HasSubstr("failures=\"0\""), Not(HasSubstr("type=\"anomaly\""))));
}

TEST_F(Printers, PageShowsThePictureOfTheCycle) {
  const AnalysisView& view = study_programs(std::string(kWithdrawal), "rc");
  std::string drawn;
  const std::string page = as_page(view, {"1.2.3", "assay analyze a.sql"}, [&](const std::string& dot) {
    drawn = dot;
    return std::optional<std::string>("<?xml?>\n<svg xmlns=\"http://x\"><g/></svg>");
  });
  EXPECT_THAT(drawn, AllOf(StartsWith("digraph assay {"), HasSubstr("<b>T1 withdraw</b>"),
                           HasSubstr("t0_0 -> t0_1 [label=<rw account("), HasSubstr("id =&gt; ")));
  EXPECT_THAT(page, AllOf(HasSubstr("<figure><svg><g/></svg></figure>"), HasSubstr("lost-update"),
                          HasSubstr("<footer>assay 1.2.3: assay analyze a.sql</footer>"),
                          Not(HasSubstr("class=\"cycle\""))));
}

TEST_F(Printers, PageTellsTheCycleInWordsWhereItCannotBeDrawn) {
  const std::string page = as_page(study_programs(std::string(kWithdrawal), "rc"), {"", ""}, no_picture);
  EXPECT_THAT(page, AllOf(HasSubstr("<b>T1 withdraw</b> <span class=\"rw\">&mdash;rw account("),
                          HasSubstr("&rarr;</span> <b>T1 withdraw</b></p>"), Not(HasSubstr("<figure>"))));
}

TEST_F(Printers, PageEscapesWhatUsersWrote) {
  AnalysisView& view = study_programs(std::string(kWithdrawal), "rc");
  view.files = {"<script>.sql"};
  view.database = "<b>";
  view.levels[0].replays = {{replay::Replayed::Kind::Confirmed, "a<b", "c<d"}};
  for (sql::Program& program : application_.programs) program.name = "<i>\"&";
  const std::string page = as_page(view, {"1", "assay <command>"}, no_picture);
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;script&gt;.sql"), HasSubstr("Confirmed on &lt;b&gt;"),
                          HasSubstr("a&lt;b"), HasSubstr("c&lt;d"), HasSubstr("assay &lt;command&gt;"),
                          HasSubstr("T1 &lt;i&gt;&quot;&amp;")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("<i>"))));
}

TEST_F(Printers, ReplaysAreTold) {
  AnalysisView& view = study_programs(std::string(kWithdrawal), "rc");
  view.database = "PostgreSQL 15";
  view.levels[0].replays = {{replay::Replayed::Kind::NotReproduced, "the server aborted T2", "", {"once"}}};
  EXPECT_THAT(as_text(view), HasSubstr("not reproduced on PostgreSQL 15: the server aborted T2\n"));
  const auto json = nlohmann::json::parse(as_json(view));
  EXPECT_EQ(json["results"][0]["anomalies"][0]["replay"]["outcome"], "not-reproduced");
  EXPECT_EQ(json["results"][0]["anomalies"][0]["replay"]["attempts"], nlohmann::json({"once"}));
}

TEST_F(Printers, BaselineKnowsAFindingOnOtherLines) {
  const std::string file = testing::TempDir() + "assay-baseline";
  { std::ofstream(file) << as_baseline(study_programs(std::string(kWithdrawal), "rc")); }
  const auto known = read_baseline(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(known) << known.error().describe();
  ASSERT_EQ(known->size(), 1u);
  AnalysisView& moved = study_programs("\n\n" + std::string(kWithdrawal), "rc");
  EXPECT_EQ(mark_known(moved, *known), 0u);
  EXPECT_EQ(new_anomalies(moved.levels[0]), 0u);
  EXPECT_EQ(verdict_text(moved.levels[0]), "1 anomaly found, 0 of them new");
  AnalysisView& gone = study_programs(std::string(kWithdrawal), "ser");
  EXPECT_EQ(mark_known(gone, *known), 1u);
}

}  // namespace
}  // namespace assay::analysis_report

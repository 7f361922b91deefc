// `assay analyze` in a build: what is new, what could not be read, and files for the tools around it; and
// logs.
#include <nlohmann/json.hpp>

#include "command.h"
#include "support/account_programs.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class AnalyzeInCi : public Command {
 protected:
  int analyze(const std::string& arguments) { return assay("analyze --level rc --cycle 2 " + arguments); }
  // The programs in one file, with the schema in front.
  std::string programs(const std::string& name, const std::string& text) {
    return write(name, std::string(kAccounts) + text) + " ";
  }
};

TEST_F(AnalyzeInCi, FailsOnNewFindingsOnly) {
  const std::string one = programs("one.sql", std::string(kWithdrawal));
  EXPECT_EQ(analyze(one + "--write-baseline " + file("base")), 1) << err_;
  EXPECT_THAT(content(file("base")), HasSubstr("  rc: lost-update: withdraw, withdraw\n"));
  // Other lines, another file, another program beside it: the same finding.
  const std::string moved =
      programs("moved.sql", "\n\n-- moved\n-- transaction: look\nSELECT 1;\n" + std::string(kWithdrawal));
  EXPECT_EQ(analyze(moved + "--baseline " + file("base")), 0) << out_ << err_;
  EXPECT_THAT(out_,
              AllOf(HasSubstr("rc\t1 anomaly found, 0 of them new\t"), HasSubstr("both wrote it), known\n")));
  const std::string two = programs("two.sql", std::string(kWithdrawal) + std::string(kSwap));
  EXPECT_EQ(analyze(two + "--baseline " + file("base")), 1) << out_;
  // Another level, another statement: another finding.
  EXPECT_EQ(assay("analyze --level cc --cycle 2 " + one + "--baseline " + file("base")), 1);
  EXPECT_EQ(analyze(programs("other.sql",
                             "-- transaction: withdraw(id int, amount int)\nSELECT balance FROM account "
                             "WHERE id = :id;\nUPDATE account SET balance = :amount + 1 WHERE id = :id;\n") +
                    "--baseline " + file("base")),
            1);
  EXPECT_THAT(out_, HasSubstr("note: 1 of the baseline's findings is not found any more\n"));
}

TEST_F(AnalyzeInCi, RefusesWhatIsNoBaseline) {
  const std::string one = programs("one.sql", std::string(kWithdrawal));
  EXPECT_EQ(analyze(one + "--baseline " + file("none")), 2);
  EXPECT_THAT(err_, HasSubstr("none: cannot be read (--write-baseline FILE writes it)"));
  EXPECT_EQ(analyze(one + "--baseline " + write("bad", "# x\n\nhello\n")), 2);
  EXPECT_THAT(err_, HasSubstr("bad:3: hello is no fingerprint of a finding"));
}

TEST_F(AnalyzeInCi, LeavesOutProgramsThatCannotBeRead) {
  const std::string text = programs(
      "a.sql", "-- transaction: bad\nSELEKT 1;\n-- transaction: good\nSELECT balance FROM account;\n");
  EXPECT_EQ(analyze(text), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("over 1 table: good\n"),
                          HasSubstr("a.sql:2: program bad cannot be read, no answer is about it: "),
                          HasSubstr("SELEKT")));
  EXPECT_EQ(analyze(text + "--strict"), 3);
  EXPECT_EQ(analyze(text + "--strict --ignore bad"), 0);
  EXPECT_EQ(analyze(text + "--strict --only good"), 0);
  EXPECT_EQ(analyze(text + "--json"), 0);
  EXPECT_EQ(nlohmann::json::parse(out_)["left_out"], nlohmann::json({"bad"}));
}

TEST_F(AnalyzeInCi, ChoosesPrograms) {
  const std::string two = programs("two.sql", std::string(kWithdrawal) + std::string(kSwap));
  EXPECT_EQ(analyze(two + "--ignore swap"), 1);
  EXPECT_THAT(out_, HasSubstr("over 1 table: withdraw\n"));
  EXPECT_EQ(analyze(two + "--only swap"), 1);
  EXPECT_THAT(out_, HasSubstr("over 1 table: swap\n"));
  EXPECT_EQ(analyze(two + "--ignore nothing"), 2);
  EXPECT_THAT(err_, HasSubstr("there is no program nothing"));
  EXPECT_EQ(analyze(two + "--ignore swap,withdraw"), 2);
  EXPECT_THAT(err_, HasSubstr("no program is left to analyse"));
}

// What SARIF 2.1.0 requires of a log, a run, a tool, a result and a location.
void expect_sarif(const nlohmann::json& sarif) {
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  ASSERT_TRUE(sarif.at("runs").is_array());
  for (const auto& run : sarif["runs"]) {
    const auto& driver = run.at("tool").at("driver");
    EXPECT_TRUE(driver.at("name").is_string());
    for (const auto& rule : driver.at("rules")) EXPECT_TRUE(rule.at("id").is_string());
    for (const auto& invocation : run.at("invocations")) {
      EXPECT_TRUE(invocation.at("executionSuccessful").is_boolean());
      for (const auto& note : invocation.at("toolExecutionNotifications"))
        EXPECT_TRUE(note.at("message").at("text").is_string());
    }
    for (const auto& result : run.at("results")) {
      EXPECT_TRUE(result.at("message").at("text").is_string());
      EXPECT_EQ(driver["rules"].at(result.at("ruleIndex").get<std::size_t>()).at("id"), result.at("ruleId"));
      EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"}.contains(result.at("level"))));
      for (const auto& [name, value] : result.at("partialFingerprints").items())
        EXPECT_TRUE(value.is_string()) << name;
      for (const char* list : {"locations", "relatedLocations"})
        for (const auto& location : result.at(list)) {
          const auto& physical = location.at("physicalLocation");
          EXPECT_EQ(physical.at("artifactLocation").at("uri").get<std::string>().find(' '),
                    std::string::npos);
          EXPECT_GE(physical.at("region").at("startLine"), 1);
        }
    }
  }
}

TEST_F(AnalyzeInCi, WritesSarif) {
  const std::string one =
      "'" + write("one two.sql", std::string(kAccounts) + std::string(kWithdrawal)) + "' ";
  EXPECT_EQ(analyze(one + "--write-baseline " + file("base") + " --sarif " + file("out.sarif")), 1) << err_;
  auto sarif = nlohmann::json::parse(content(file("out.sarif")));
  expect_sarif(sarif);
  const auto& result = sarif["runs"][0]["results"].at(0);
  EXPECT_EQ(result["ruleId"], "lost-update");
  EXPECT_FALSE(result.contains("baselineState"));
  EXPECT_THAT(content(file("base")),
              HasSubstr(result["partialFingerprints"]["assayFinding/v1"].get<std::string>()));
  std::set<int> lines;
  for (const auto& place : result["relatedLocations"]) {
    lines.insert(place["physicalLocation"]["region"]["startLine"].get<int>());
    EXPECT_THAT(place["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
                AllOf(testing::StartsWith("file:///"), HasSubstr("/one%20two.sql")));
  }
  EXPECT_EQ(lines, (std::set<int>{3, 4}));
  EXPECT_EQ(analyze(one + "--baseline " + file("base") + " --sarif " + file("out.sarif")), 0);
  sarif = nlohmann::json::parse(content(file("out.sarif")));
  EXPECT_EQ(sarif["runs"][0]["results"].at(0)["baselineState"], "unchanged");
}

TEST_F(AnalyzeInCi, WritesSarifWithoutFindings) {
  EXPECT_EQ(
      assay("analyze --level ser --cycle 2 " +
            programs("a.sql", "-- transaction: bad\nSELEKT 1;\n-- transaction: good\nTRUNCATE account;\n") +
            "--sarif " + file("out.sarif")),
      0)
      << out_ << err_;
  const auto sarif = nlohmann::json::parse(content(file("out.sarif")));
  expect_sarif(sarif);
  EXPECT_TRUE(sarif["runs"][0]["results"].empty());
  const auto& notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  EXPECT_EQ(std::ranges::count(notes, "warning",
                               [](const auto& note) { return note["level"].template get<std::string>(); }),
            1);
}

TEST_F(AnalyzeInCi, WritesJunit) {
  const std::string text = programs("a.sql", "-- transaction: bad\nSELEKT 1;\n" + std::string(kWithdrawal));
  EXPECT_EQ(assay("analyze --cycle 2 " + text + "--junit " + file("out.xml")), 1) << err_;
  const std::string xml = content(file("out.xml"));
  EXPECT_THAT(
      xml, AllOf(HasSubstr("<?xml"), HasSubstr("tests=\"8\" failures=\""), HasSubstr("skipped=\"1\""),
                 HasSubstr("name=\"rc\""), HasSubstr("<failure message=\"rc: 1 anomaly found\""),
                 HasSubstr("T1 -RW-&gt; T2"), HasSubstr("name=\"bad\" time=\"0.000000\"><skipped message="),
                 HasSubstr("</testsuites>")));
}

TEST_F(AnalyzeInCi, ShowsOnThePageWhatTheTextShows) {
  const std::string text = programs("a.sql", "-- transaction: bad\nSELEKT 1;\n" + std::string(kWithdrawal));
  EXPECT_EQ(assay("analyze --cycle 2 " + text + "--write-baseline " + file("base")), 1);
  EXPECT_EQ(
      assay("analyze --cycle 2 " + text + "--report " + file("page.html") + " --baseline " + file("base")),
      0);
  const std::string page = content(file("page.html"));
  EXPECT_THAT(page, AllOf(HasSubstr("a.sql: withdraw"), HasSubstr("weakest safe level: psi (proved)"),
                          HasSubstr("0 of them new"), HasSubstr("known: the baseline has it"),
                          HasSubstr("program bad cannot be read")));
}

constexpr std::string_view kLog = R"(2026-11-18 20:14:52.123 UTC [101] LOG:  statement: BEGIN
2026-11-18 20:14:52.124 UTC [101] LOG:  statement: SELECT balance FROM account WHERE id = 7
2026-11-18 20:14:52.126 UTC [101] LOG:  statement: UPDATE account SET balance = 93 WHERE id = 7
2026-11-18 20:14:52.127 UTC [101] LOG:  statement: COMMIT
2026-11-18 20:14:53.123 UTC [101] LOG:  statement: BEGIN
2026-11-18 20:14:53.124 UTC [101] LOG:  statement: SELECT balance FROM account WHERE id = 8
2026-11-18 20:14:53.126 UTC [101] LOG:  statement: UPDATE account SET balance = 12 WHERE id = 8
2026-11-18 20:14:53.127 UTC [101] LOG:  statement: COMMIT
)";

TEST_F(AnalyzeInCi, AnalysesALog) {
  const std::string log =
      "--log " + write("pg.log", kLog) + " --schema " +
      write("s.sql", std::string(kAccounts) +
                         "CREATE FUNCTION unused() RETURNS void LANGUAGE sql AS $$DELETE FROM account$$;") +
      " ";
  EXPECT_EQ(analyze(log + "--programs-out " + file("kept.sql")), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("over 1 table: select_update_account\n"), HasSubstr("lost-update"),
                          HasSubstr("an observation, not a proof"), HasSubstr("kept.sql:6: SELECT balance")));
  EXPECT_EQ(assay("analyze " + log + "--show-programs"), 0);
  EXPECT_TRUE(out_.starts_with(content(file("kept.sql")))) << out_;
  EXPECT_EQ(analyze(log + "--log-line-prefix '%m [%p] '"), 1) << err_;
  EXPECT_EQ(analyze(log + "--log-line-prefix '%m [%p] %u '"), 2);
  EXPECT_THAT(err_, HasSubstr("no transactions of an application in this log"));
}

TEST_F(AnalyzeInCi, SaysWhatALogNeeds) {
  const std::string log = "--log " + write("pg.log", kLog) + " ";
  EXPECT_EQ(analyze(log), 2);
  EXPECT_THAT(err_,
              HasSubstr("a log does not say what the tables are (add --schema FILE: pg_dump -s writes it)"));
  EXPECT_EQ(analyze("--programs-out x.sql " + programs("one.sql", std::string(kWithdrawal))), 2);
  EXPECT_THAT(err_, HasSubstr("are about logs (add --log FILE)"));
  EXPECT_EQ(analyze(""), 2);
  EXPECT_THAT(err_, HasSubstr("nothing to analyse"));
}

}  // namespace
}  // namespace assay::test

// `assay analyze` as a user calls it: the answers for the programs that come with Assay, and its outputs.
#include <nlohmann/json.hpp>

#include "command.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Analyze : public Command {
 protected:
  int analyze(const std::string& arguments) { return assay("analyze " + arguments); }
  static std::string example(const std::string& name) {
    return source_dir() + "/examples/programs/" + name + ".sql ";
  }
  // The same programs under other names: an answer must not depend on them.
  std::string renamed(const std::string& name,
                      const std::vector<std::pair<std::string, std::string>>& names) {
    std::string text = content(source_dir() + "/examples/programs/" + name + ".sql");
    for (const auto& [from, to] : names)
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return write(name + "_renamed.sql", text) + " ";
  }
};

constexpr std::string_view kSkew = R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION skew(x int, y int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT a INTO v FROM t WHERE k = x;
  UPDATE t SET a = 1 WHERE k = y;
END; $$;
)";

// Z3 catches interrupts while it searches unless it is told not to: then Ctrl-C ended one question of
// thousands.
TEST_F(Analyze, EndsWhenItIsInterrupted) {
  const std::string command = "timeout --preserve-status -s INT -k 40 1.5 " + assay_binary() + " analyze " +
                              example("tpcc") + "--level rc --cycle 8 --all-lengths >" + file("stdout") +
                              " 2>" + file("stderr");
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_THAT(WEXITSTATUS(status), testing::AnyOf(1, 3)) << "137: it went on";
  EXPECT_THAT(content(file("stdout")), HasSubstr("stopped before all questions were answered"));
}

TEST_F(Analyze, FindsTheLostUpdateOfTheBank) {
  EXPECT_EQ(analyze(example("bank") + "--level ec --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("ec\t1 anomaly found\t"), HasSubstr("lost-update"),
                          HasSubstr("T1  withdraw(id => "), HasSubstr("account(acc_id = "),
                          HasSubstr("bank.sql:16: SELECT balance FROM account"),
                          HasSubstr("bank.sql:18: UPDATE account SET balance")));
}

TEST_F(Analyze, ProvesTheBankAtParallelSnapshotIsolation) {
  EXPECT_EQ(analyze(example("bank") + "--level psi --prove"), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("psi\tserializable for any number of transactions (proved)"),
                          HasSubstr("psi: proof")));
}

TEST_F(Analyze, ListsAllLevelsAndTheWeakestSafeOne) {
  EXPECT_EQ(analyze(example("bank") + "--cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("ec\t1 anomaly"), HasSubstr("rc\t1 anomaly"), HasSubstr("ser\t"),
                          HasSubstr("weakest safe level: psi (proved)\n")));
}

TEST_F(Analyze, RefutesTpccAtPsiAndProvesItAtSi) {
  EXPECT_EQ(analyze(example("tpcc")), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("weakest safe level: si (proved)\n"), HasSubstr("psi: long-fork"),
                          HasSubstr("si\tserializable for any number of transactions (proved)")));
}

TEST_F(Analyze, SaysSoWhenTheProofThatWasAskedForIsNotFound) {
  const std::string ring = write("ring.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
-- transaction: p
SELECT a AS v FROM t WHERE k = 1
\gset
UPDATE t SET a = :v WHERE k = 2;
-- transaction: q
SELECT a AS v FROM t WHERE k = 2
\gset
UPDATE t SET a = :v WHERE k = 3;
-- transaction: r
SELECT a AS v FROM t WHERE k = 3
\gset
UPDATE t SET a = :v WHERE k = 1;
)") + " ";
  EXPECT_EQ(analyze(ring + "--level si --cycle 2"), 0) << err_;
  EXPECT_EQ(analyze(ring + "--level si --cycle 2 --proof inductive"), 3) << err_;
  EXPECT_THAT(out_, HasSubstr("no anomaly with up to 2 transactions (not proved)"));
  EXPECT_EQ(analyze(ring + "--level si --cycle 2 --proof window"), 1) << err_;
}

TEST_F(Analyze, ProvesCoursewareByWindows) {
  EXPECT_EQ(analyze(example("courseware") +
                    "--level cc,enroll=si,add_course+add_course=ser,add_student+add_student=ser,"
                    "enroll+rem_course=ser,enroll+rem_student=ser --prove"),
            0)
      << err_;
  EXPECT_THAT(out_,
              HasSubstr("no path of 2 dependencies ends in a transaction that comes before all others"));
}

TEST_F(Analyze, FindsTheReadOnlyAnomalyOfSmallbankAtSnapshotIsolation) {
  EXPECT_EQ(analyze(example("smallbank") + "--level si --cycle 3"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("balance("), HasSubstr("write_check("), HasSubstr("transact_savings(")));
  const auto count = [&](const std::string& text) {
    std::size_t number = 0;
    for (std::size_t at = out_.find(text); at != out_.npos; at = out_.find(text, at + 1)) ++number;
    return number;
  };
  EXPECT_GE(count("before:"), 1u);
  EXPECT_EQ(count("accounts(name"), count("before:")) << "one customer is enough for all three\n" << out_;
  EXPECT_EQ(analyze(example("smallbank") + "--level si --cycle 2"), 0) << out_;
  EXPECT_THAT(out_, HasSubstr("no anomaly with up to 2 transactions (not proved)"));
}

TEST_F(Analyze, GivesTheSameAnswersUnderOtherNames) {
  const std::string bank = renamed(
      "bank", {{"account", "konto"}, {"acc_id", "nummer"}, {"balance", "stand"}, {"withdraw", "abheben"}});
  EXPECT_EQ(analyze(bank + "--level ec --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("lost-update"), HasSubstr("abheben("), HasSubstr("konto(")));
  EXPECT_EQ(analyze(bank + "--level psi --prove"), 0) << out_;
  const std::string smallbank = renamed("smallbank", {{"savings", "spar"},
                                                      {"checking", "giro"},
                                                      {"customer_id", "kunde"},
                                                      {"write_check", "scheck"},
                                                      {"transact_", "buche_"}});
  EXPECT_EQ(analyze(smallbank + "--level si --cycle 3"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("scheck("), HasSubstr("buche_spar(")));
}

TEST_F(Analyze, LooksAtSomeOfTheProgramsOnly) {
  EXPECT_EQ(analyze(example("smallbank") +
                    "--level si --cycle 3 --programs balance,deposit_checking,transact_savings,amalgamate"),
            0)
      << out_;
  EXPECT_EQ(analyze("--programs withdraw " + example("bank") + "--level psi --cycle 2"), 0) << err_;
  EXPECT_EQ(analyze(example("smallbank") + "--level si --programs nothing"), 2);
  EXPECT_THAT(err_, HasSubstr("there is no program nothing (--show-programs lists them)"));
}

TEST_F(Analyze, TakesLevelsPerProgram) {
  EXPECT_EQ(analyze(example("bank") + "--level ec,withdraw=ser --cycle 2"), 0) << out_ << err_;
  EXPECT_EQ(analyze(example("bank") + "--level nothing"), 2);
  EXPECT_THAT(err_, HasSubstr("nothing"));
}

TEST_F(Analyze, MakesPairsOfProgramsSeeEachOther) {
  const std::string file = write("skew.sql", std::string(kSkew)) + " ";
  EXPECT_EQ(analyze(file + "--level si --cycle 2"), 1) << err_;
  EXPECT_EQ(analyze(file + "--level si,skew+skew=ser --cycle 2"), 0) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("si,skew+skew=ser\tno anomaly"));
  EXPECT_EQ(analyze(file + "--level si,skew+skew=psi --cycle 2"), 2);
  EXPECT_THAT(err_, HasSubstr("neither a program nor a pair made serializable"));
}

TEST_F(Analyze, TakesLevelsOfTheCoursewarePerProgram) {
  const std::string programs = "--programs enroll,rem_student --cycle 2 ";
  EXPECT_EQ(analyze(example("courseware") + programs + "--level si"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("enroll("), HasSubstr("rem_student(")));
  EXPECT_EQ(analyze(example("courseware") + programs + "--level si,enroll=ser,rem_student=ser"), 0) << out_;
}

TEST_F(Analyze, TakesLevelsOfTheSpecificationLanguage) {
  const std::string stores = source_dir() + "/examples/stores.spec";
  EXPECT_EQ(analyze(example("bank") + "--cycle 2 --level " + stores + ":EC"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("stores.spec:EC\t1 anomaly found"));
  EXPECT_EQ(analyze(example("bank") + "--cycle 2 --level " + stores + ":WritersInOrder"), 0) << out_ << err_;
  EXPECT_EQ(analyze(example("bank") + "--cycle 2 --level biswas:SI"), 2);
  EXPECT_THAT(err_, HasSubstr("biswas:SI is not a level of visibility and arbitration"));
}

// Both read, and neither cares for what it read.
TEST_F(Analyze, LeavesOutHarmlessAnomalies) {
  const std::string file = write("skew.sql", std::string(kSkew)) + " ";
  EXPECT_EQ(analyze(file + "--level si --cycle 2 --harmless"), 0) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("si: 1 harmless anomalies are left out"));
  EXPECT_EQ(analyze(example("bank") + "--level rc --cycle 2 --harmless"), 1) << out_ << err_;
  EXPECT_THAT(out_, Not(HasSubstr("harmless")));
}

TEST_F(Analyze, SpeaksJson) {
  EXPECT_EQ(analyze(example("bank") + "--level ec --cycle 2 --json"), 1) << err_;
  const auto json = nlohmann::json::parse(out_);
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["programs"], nlohmann::json({"withdraw"}));
  const auto& result = json["results"].at(0);
  EXPECT_EQ(result["verdict"], "anomaly");
  const auto& anomaly = result["anomalies"].at(0);
  EXPECT_EQ(anomaly["anomaly"], "lost-update");
  EXPECT_EQ(anomaly["calls"].size(), 2u);
  EXPECT_EQ(anomaly["calls"][0]["program"], "withdraw");
  EXPECT_TRUE(anomaly["calls"][0]["arguments"].contains("amount"));
  EXPECT_EQ(anomaly["cycle"].size(), 2u);
  EXPECT_EQ(anomaly["cycle"][0]["table"], "account");
  EXPECT_FALSE(anomaly["schedule"].empty());
}

TEST_F(Analyze, WritesAPageThatNeedsNothingElse) {
  EXPECT_EQ(analyze(example("bank") + "--level ec --cycle 2 --report " + file("page.html")), 1) << err_;
  const std::string page = content(file("page.html"));
  EXPECT_THAT(
      page, AllOf(HasSubstr("<svg"), HasSubstr("T1 withdraw"), HasSubstr("lost-update"), HasSubstr("</html>"),
                  Not(HasSubstr("http://")), Not(HasSubstr("https://")), Not(HasSubstr("<script"))));
}

TEST_F(Analyze, AdvisesWhatWouldHelp) {
  EXPECT_EQ(analyze(example("bank") + "--level rc --cycle 2 --advise"), 1) << err_;
  EXPECT_THAT(out_,
              AllOf(HasSubstr("what would help:\n  - in withdraw, put one UPDATE in the place of"),
                    HasSubstr(": UPDATE account SET balance = balance - :amount WHERE (acc_id = :id) AND "
                              "(balance > :amount): the server reads"),
                    HasSubstr("FOR UPDATE"), HasSubstr("withdraw at si: the server aborts")));
  EXPECT_EQ(analyze(example("bank") + "--level mariadb:serializable --cycle 2"), 0) << err_;
  EXPECT_EQ(analyze(example("bank") + "--level mariadb:repeatable-read --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("mariadb:repeatable-read\t1 anomaly found"));
  EXPECT_EQ(analyze(example("bank") + "--level mariadb:snapshot --cycle 2"), 0) << err_;
  EXPECT_EQ(analyze(example("bank") + "--level mariadb:repeatable"), 2);
  EXPECT_THAT(err_, HasSubstr("unknown level"));
}

// An UPDATE with a trigger becomes a loop over the rows that it locks, but people wrote an UPDATE.
TEST_F(Analyze, ShowsTheChangeWhereATransactionWrites) {
  const std::string text = write("a.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE TABLE l (k int);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO l VALUES (NEW.k); RETURN NEW; END $$;
CREATE TRIGGER r AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
-- transaction: add(id int, n int)
SELECT a AS old FROM t WHERE k = :id
\gset
UPDATE t SET a = :old + :n WHERE k = :id;
)");
  EXPECT_EQ(analyze(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("UPDATE t SET a = "), Not(HasSubstr("FOR UPDATE")))) << out_;
}

TEST_F(Analyze, NotesWhatItDidNotUnderstand) {
  const std::string text =
      write("a.sql", "CREATE TABLE t (a int PRIMARY KEY, b int);\n-- transaction: x(k int)\n\nTRUNCATE t;\n");
  EXPECT_EQ(analyze(text + " --level ser"), 0) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("a.sql:4: TruncateStmt is not understood: it may read and write everything"));
}

TEST_F(Analyze, ShowsWhatProgramsWereTakenFor) {
  EXPECT_EQ(analyze(example("bank") + "--show-programs"), 0);
  EXPECT_EQ(out_,
            "withdraw(id integer, amount integer)\n  SELECT balance FROM account WHERE acc_id = :id INTO bal "
            "[first]\n"
            "  IF :bal > :amount\n    UPDATE account SET balance = :bal - :amount WHERE acc_id = :id\n");
}

TEST_F(Analyze, RefusesBadInputWithItsPlace) {
  EXPECT_EQ(analyze(file("none.sql")), 2);
  EXPECT_THAT(err_, HasSubstr("none.sql: cannot be read"));
  EXPECT_EQ(analyze(write("a.sql", "CREATE TABLE t (a int);\nSELEKT 1;")), 2);
  EXPECT_THAT(err_, HasSubstr("a.sql:2: syntax error at or near \"SELEKT\""));
  EXPECT_EQ(analyze(example("bank") + "--replay start:postgres"), 2);
  EXPECT_THAT(err_, HasSubstr("need a level"));
}

}  // namespace
}  // namespace assay::test

// Anomalies that the analysis predicts, brought about on a PostgreSQL that the command starts itself.
#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Replay : public Command {
 protected:
  Replay() { std::filesystem::permissions(directory_, std::filesystem::perms(0711)); }
  int replay(const std::string& arguments) { return assay("analyze --replay start:postgres " + arguments); }
  static std::string example(const std::string& name) {
    return std::string(ASSAY_SOURCE_DIR) + "/examples/programs/" + name + ".sql ";
  }
};

TEST_F(Replay, ConfirmsTheLostUpdateOfTheBankAtReadCommitted) {
  EXPECT_EQ(replay(example("bank") + "--level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("confirmed on PostgreSQL"), HasSubstr("no serial order"))) << out_;
}

TEST_F(Replay, ConfirmsTheAnomalyOfSmallbankAtSnapshotIsolation) {
  EXPECT_EQ(replay(example("smallbank") + "--level si --cycle 3"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

TEST_F(Replay, ConfirmsTheCycleOfOneDeliveryForAllDistricts) {
  EXPECT_EQ(replay(example("tpcc") + example("tpcc_all_districts") +
                   "--level si --cycle 4 --programs new_order,order_status,delivery"),
            1)
      << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// Two who leave both count two: the witness has rows that the counts are about.
TEST_F(Replay, ConfirmsThatNobodyIsLeft) {
  const std::string text = write("doctors.sql", R"(CREATE TABLE doctor (id int PRIMARY KEY, shift int NOT NULL, on_call boolean NOT NULL);
-- transaction: leave(me int, s int)
SELECT count(*) AS n FROM doctor WHERE shift = :s AND on_call
\gset
UPDATE doctor SET on_call = false WHERE id = :me AND :n >= 2;
)");
  EXPECT_EQ(replay(text + " --level si --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// The second round reads, the third one ends the loop, and what is written then is what the rounds handed on.
TEST_F(Replay, RunsTheRoundsOfLoops) {
  const std::string text = write("while.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION raise(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int; i int := 0;
BEGIN
  WHILE i < 900 LOOP
    i := i + 1;
    CONTINUE WHEN i = 1;
    EXIT WHEN i = 3;
    SELECT a INTO STRICT v FROM t WHERE k = x;
  END LOOP;
  IF i = 3 THEN UPDATE t SET a = v + i WHERE k = x; END IF;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

TEST_F(Replay, SaysWhereAProgramCannotBeReplayed) {
  const std::string text = write("while.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION ever(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int; i int := 0;
BEGIN
  WHILE i >= 0 LOOP
    SELECT a INTO v FROM t WHERE k = x;
    UPDATE t SET a = v + 1 WHERE k = x;
    i := i + 1;
  END LOOP;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("while.sql:5: a loop of ever goes on after 1000 rounds")) << out_;
  const std::string dynamic = write("execute.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION dynamic() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE 'UPDATE t SET a = 1';
END; $$;
)");
  EXPECT_EQ(replay(dynamic + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("execute.sql:4: dynamic has a statement that was not understood: EXECUTE"))
      << out_;
}

TEST_F(Replay, SaysWhichLevelsPostgresqlDoesNotHave) {
  EXPECT_EQ(replay(example("bank") + "--level ec --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("cannot be replayed on PostgreSQL"), HasSubstr("not ec"))) << out_;
}

TEST_F(Replay, NeedsADatabaseThatIsThere) {
  EXPECT_EQ(assay("analyze " + example("bank") +
                  "--level rc --cycle 2 --replay postgresql://nobody@127.0.0.1:1/none"),
            2);
  EXPECT_THAT(err_, HasSubstr("cannot connect"));
  EXPECT_EQ(assay("analyze " + example("bank") + "--level rc --cycle 2 --replay sqlite:"), 2);
  EXPECT_THAT(err_, HasSubstr("is no PostgreSQL database"));
}

}  // namespace
}  // namespace assay::test

#include <gtest/gtest.h>

#include "analysis/known_answers.h"
#include "analysis/subjects.h"

namespace assay::analysis {
namespace {

Analysis without_harmless(const sql::Application& application, std::string_view levels, unsigned cycle) {
  Options options;
  options.cycle = cycle;
  options.drop_harmless = true;
  return analyze(application, *parse_levels(levels, application), options);
}

// Paper 004: two enrolments see student and course appear in opposite order; both fail, as they would have
// before.
TEST(Harmless, TheForkOfTheCoursewareIsDropped) {
  const sql::Application application = example({"courseware.sql"}, {"add_student", "add_course", "enroll"});
  const char* levels = "cc,enroll=psi,add_student+add_student=ser,add_course+add_course=ser";
  const Cycle fork = {"add_student", "add_course", "enroll", "enroll"};
  EXPECT_TRUE(cycles(analyze(application, levels, 4), application).contains(fork));
  const Analysis analysis = without_harmless(application, levels, 4);
  EXPECT_FALSE(cycles(analysis, application).contains(fork));
  EXPECT_GT(analysis.harmless, 0u);
}

TEST(Harmless, WhatLosesAnUpdateIsNot) {
  const Analysis analysis = without_harmless(bank(), "ec", 2);
  EXPECT_EQ(analysis.outcome, Outcome::AnomalyFound);
  EXPECT_EQ(analysis.harmless, 0u);
}

// Two who read see two writers in opposite order: what is left is what any order leaves.
TEST(Harmless, AForkThatClientsSeeIsNot) {
  auto application = sql::read_application({{"fork.sql", R"(
CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
-- transaction: put(x)
UPDATE t SET a = 1 WHERE k = :x;
-- transaction: both()
SELECT a FROM t WHERE k = 1;
SELECT a FROM t WHERE k = 2;
)"}});
  ASSERT_TRUE(application);
  EXPECT_EQ(without_harmless(*application, "psi", 4).outcome, Outcome::AnomalyFound);
}

// Both go through, where one after the other the second would not have found its row.
TEST(Harmless, WhereAProgramWouldHaveFailedIsNot) {
  auto application = sql::read_application({{"fail.sql", R"(
CREATE TABLE t (k int PRIMARY KEY);
CREATE FUNCTION one() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO STRICT v FROM t WHERE k = 2;
  DELETE FROM t WHERE k = 1;
END; $$;
CREATE FUNCTION two() RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT k INTO STRICT v FROM t WHERE k = 1;
  DELETE FROM t WHERE k = 2;
END; $$;
)"}});
  ASSERT_TRUE(application);
  EXPECT_EQ(without_harmless(*application, "si", 2).outcome, Outcome::AnomalyFound);
}

TEST(Harmless, WhatTellsItsClientSomethingElseIsNot) {
  const sql::Application application =
      example({"smallbank.sql"}, {"balance", "write_check", "transact_savings"});
  EXPECT_EQ(without_harmless(application, "si", 3).outcome, Outcome::AnomalyFound);
}

}  // namespace
}  // namespace assay::analysis

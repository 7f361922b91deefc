#include "analysis_report/study_fixture.h"

namespace assay::analysis_report {
namespace {

using testing::HasSubstr;

TEST_F(Study, AnswersForTheGivenLevel) {
  const AnalysisView& view = study_programs(std::string(kWithdrawal), "rc");
  ASSERT_EQ(view.levels.size(), 1u);
  EXPECT_EQ(view.levels[0].level, "rc");
  EXPECT_EQ(view.levels[0].analysis.outcome, analysis::Outcome::AnomalyFound);
  EXPECT_FALSE(view.all_levels);
  EXPECT_FALSE(view.advice);
}

TEST_F(Study, AnswersForEveryLevelWithoutAny) {
  const AnalysisView& view = study_programs(std::string(kWithdrawal), "");
  EXPECT_TRUE(view.all_levels);
  EXPECT_GT(view.levels.size(), 4u);
  EXPECT_EQ(weakest_text(view), "psi (proved)");
}

TEST_F(Study, AdvisesOnlyWhereSomethingWasFound) {
  Question question{.levels = "rc", .advise = true};
  question.options.cycle = 2;
  EXPECT_TRUE(study_programs(std::string(kWithdrawal), question).advice);
  question.levels = "ser";
  EXPECT_FALSE(study_programs(std::string(kWithdrawal), question).advice);
}

TEST_F(Study, NeedsALevelForAdviceAndReplay) {
  study_programs(std::string(kWithdrawal), "rc");
  for (const Question& question :
       {Question{.levels = "", .advise = true}, Question{.levels = "", .replay_where = "start:postgres"}}) {
    const auto view = study(application_, sources_, question);
    ASSERT_FALSE(view);
    EXPECT_THAT(view.error().describe(), HasSubstr("--replay and --advise need a level"));
  }
}

TEST_F(Study, RefusesAnUnknownLevelAndADatabaseThatIsNotThere) {
  study_programs(std::string(kWithdrawal), "rc");
  EXPECT_FALSE(study(application_, sources_, {.levels = "chaos"}));
  EXPECT_FALSE(study(application_, sources_, {.levels = "rc", .replay_where = "nonsense"}));
}

}  // namespace
}  // namespace assay::analysis_report

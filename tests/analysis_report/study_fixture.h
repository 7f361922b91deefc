// Programs in SQL, and what the analysis says of them, for the tests of its printers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis_report/study.h"
#include "analysis_report/words.h"
#include "support/account_programs.h"

namespace assay::analysis_report {

using test::kAccounts;
using test::kSwap;
using test::kWithdrawal;

class Study : public testing::Test {
 protected:
  // Studies the programs, with the schema in front of them; the result stays valid until the next call.
  AnalysisView& study_programs(const std::string& programs, const std::string& levels) {
    Question question;
    question.levels = levels;
    question.options.cycle = 2;
    question.options.threads = 1;
    return study_programs(programs, question);
  }
  AnalysisView& study_programs(const std::string& programs, const Question& question) {
    sources_ = {{"a.sql", std::string(kAccounts) + programs}};
    auto application = sql::read_application(sources_);
    if (!application) throw std::invalid_argument(application.error().describe());
    application_ = std::move(*application);
    auto view = study(application_, sources_, question);
    if (!view) throw std::invalid_argument(view.error().describe());
    view_ = std::move(*view);
    view_.files = {"a.sql"};
    return view_;
  }

  std::vector<sql::SourceFile> sources_;
  sql::Application application_;
  AnalysisView view_;
};

}  // namespace assay::analysis_report

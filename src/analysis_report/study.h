// Answers the question of `assay analyze`: analyses the programs at the levels that the user asked about,
// looks for advice, replays what was found on a real database, and gathers all of it as one AnalysisView.
#pragma once

#include <string>
#include <vector>

#include "analysis_report/view.h"
#include "sql/read.h"

namespace assay::analysis_report {

struct Question {
  std::string levels{};  // as --level takes them; empty: every level that the analysis knows
  analysis::Options options{};
  bool advise = false;         // of given levels: what would make them safe
  std::string replay_where{};  // of given levels: a URL, or start:postgres; empty: nothing is replayed
  replay::GoOn go_on_replaying = [](std::size_t, std::size_t) { return true; };
};

// `sources` are the files that the application was read from. The view refers to the application.
Result<AnalysisView> study(const sql::Application& application, const std::vector<sql::SourceFile>& sources,
                           const Question& question);

}  // namespace assay::analysis_report

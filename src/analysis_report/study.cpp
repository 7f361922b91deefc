#include "analysis_report/study.h"

#include <chrono>

#include "analysis/advice.h"

namespace assay::analysis_report {
namespace {

using Clock = std::chrono::steady_clock;

Result<void> study_all_levels(const Question& question, AnalysisView& view) {
  if (!question.replay_where.empty() || question.advise)
    return error("--replay and --advise need a level", "--level si, for example");
  view.all_levels = true;
  const auto answers = analysis::analyze_all_levels(*view.application, question.options);
  for (const analysis::LevelAnswer& answer : answers)
    view.levels.push_back({std::string(analysis::id(answer.level)), answer.analysis, answer.seconds, {}});
  view.weakest = analysis::weakest_levels(answers);
  return {};
}

// Advice is tried on the anomalies that the server has brought about.
Result<void> try_advice(const std::vector<sql::SourceFile>& sources, const Question& question,
                        const LevelResult& result, AnalysisView& view) {
  std::vector<analysis::FoundAnomaly> confirmed;
  for (std::size_t i = 0; i < result.replays.size(); ++i)
    if (result.replays[i].kind == replay::Replayed::Kind::Confirmed)
      confirmed.push_back(result.analysis.anomalies[i]);
  if (confirmed.empty()) return {};
  auto trials = replay::try_advice(question.replay_where, sources, *view.application, confirmed, *view.advice,
                                   question.go_on_replaying);
  if (!trials) return std::move(trials).error();
  view.trials = std::move(*trials);
  return {};
}

Result<void> study_given_levels(const std::vector<sql::SourceFile>& sources, const Question& question,
                                AnalysisView& view) {
  const sql::Application& application = *view.application;
  const auto levels = analysis::parse_levels(question.levels, application);
  if (!levels) return levels.error();
  const auto start = Clock::now();
  LevelResult result{analysis::to_text(*levels, application),
                     analysis::analyze(application, *levels, question.options)};
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (question.advise && result.analysis.outcome == analysis::Outcome::AnomalyFound)
    view.advice = analysis::advise(application, *levels, question.options, result.analysis);
  if (!question.replay_where.empty()) {
    auto replays = replay::replay_all(question.replay_where, sources, application, result.analysis.anomalies,
                                      question.go_on_replaying);
    if (!replays) return std::move(replays).error();
    view.database = std::move(replays->database);
    result.replays = std::move(replays->anomalies);
    if (view.advice) ASSAY_TRY(try_advice(sources, question, result, view));
  }
  view.levels.push_back(std::move(result));
  return {};
}

}  // namespace

Result<AnalysisView> study(const sql::Application& application, const std::vector<sql::SourceFile>& sources,
                           const Question& question) {
  AnalysisView view;
  view.application = &application;
  if (question.levels.empty()) ASSAY_TRY(study_all_levels(question, view));
  else ASSAY_TRY(study_given_levels(sources, question, view));
  return view;
}

}  // namespace assay::analysis_report

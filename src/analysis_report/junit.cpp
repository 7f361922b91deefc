// The answer of `assay analyze` as JUnit XML: a level is a test, and a program that cannot be read is one
// that was skipped.
#include <fmt/format.h>

#include <algorithm>

#include "analysis_report/baseline.h"
#include "analysis_report/words.h"
#include "report/junit.h"

namespace assay::analysis_report {
namespace {

// The story of one level, as the text tells it.
std::string story(const AnalysisView& view, const LevelResult& result) {
  AnalysisView one = view;
  one.levels = {result};
  one.all_levels = false;
  one.advice.reset();
  return as_text(one);
}

JunitTest test_of(const AnalysisView& view, const LevelResult& result) {
  JunitTest test{.name = result.level, .seconds = result.seconds};
  if (new_anomalies(result) > 0) {
    test.outcome = JunitTest::Outcome::Failure;
    test.message = fmt::format("{}: {}", result.level, verdict_text(result));
    test.type = "anomaly";
    test.text = story(view, result);
  } else if (result.analysis.outcome == analysis::Outcome::NotDecided) {
    test.outcome = JunitTest::Outcome::Error;
    test.message = result.level + ": not decided";
    test.type = "undecided";
  }
  return test;
}

}  // namespace

std::string as_junit(const AnalysisView& view) {
  JunitSuite suite{.name = fmt::format("{}", fmt::join(view.files, " ")), .tests = {}};
  for (const LevelResult& result : view.levels) suite.tests.push_back(test_of(view, result));
  for (const auto& left : view.application->left_out)
    suite.tests.push_back({.name = left.name,
                           .outcome = JunitTest::Outcome::Skipped,
                           .message = sql::to_text(left.why.place) + ": " + left.why.text});
  return junit_file(std::span(&suite, 1));
}

}  // namespace assay::analysis_report

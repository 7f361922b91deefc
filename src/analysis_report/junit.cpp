// The answer of `assay analyze` as JUnit XML: a level is a test, and a program that cannot be read is one
// that was skipped.
#include <fmt/format.h>

#include <algorithm>

#include "analysis_report/baseline.h"
#include "analysis_report/words.h"
#include "report/escape.h"
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

std::string outcome_of(const AnalysisView& view, const LevelResult& result) {
  if (new_anomalies(result) > 0)
    return fmt::format("<failure message=\"{}: {}\" type=\"anomaly\">{}</failure>", xml_escaped(result.level),
                       xml_escaped(verdict_text(result)), xml_escaped(story(view, result)));
  if (result.analysis.outcome == analysis::Outcome::NotDecided)
    return fmt::format("<error message=\"{}: not decided\" type=\"undecided\"/>", xml_escaped(result.level));
  return {};
}

}  // namespace

std::string as_junit(const AnalysisView& view) {
  const std::string suite = xml_escaped(fmt::format("{}", fmt::join(view.files, " ")));
  std::string cases;
  std::size_t failures = 0, errors = 0;
  double seconds = 0;
  for (const LevelResult& result : view.levels) {
    const std::string outcome = outcome_of(view, result);
    failures += outcome.starts_with("<failure") ? 1 : 0;
    errors += outcome.starts_with("<error") ? 1 : 0;
    seconds += result.seconds;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n", suite,
                         xml_escaped(result.level), result.seconds, outcome);
  }
  const auto& left_out = view.application->left_out;
  for (const auto& left : left_out)
    cases += fmt::format(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"><skipped message=\"{}\"/></testcase>\n", suite,
        xml_escaped(left.name), xml_escaped(sql::to_text(left.why.place) + ": " + left.why.text));
  const std::string text = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.6f}\">\n{}"
      "  </testsuite>\n",
      suite, view.levels.size() + left_out.size(), failures, errors, left_out.size(), seconds, cases);
  return junit_file(std::vector{text});
}

}  // namespace assay::analysis_report

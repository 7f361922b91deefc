#include "report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/text.h"

namespace assay {
namespace {

JunitTest test_of(const Findings& findings, const Finding& finding) {
  JunitTest test{.name = std::string(id(finding.level)), .seconds = finding.seconds};
  if (const auto* violated = std::get_if<Violated>(&finding.verdict)) {
    test.outcome = JunitTest::Outcome::Failure;
    test.message = fmt::format("{} is violated: {}", test.name, anomaly_name(*violated));
    test.type = violated->anomaly ? name(*violated->anomaly) : "unnamed";
    if (finding.story) test.text = as_text(findings, *finding.story, {});
  } else if (const auto* open = std::get_if<Undecided>(&finding.verdict)) {
    test.outcome = JunitTest::Outcome::Error;
    test.message = fmt::format("{} is undecided: {}", test.name, open->why);
    test.type = "undecided";
  }
  return test;
}

std::string outcome_of(const JunitTest& test) {
  if (test.outcome == JunitTest::Outcome::Passed) return {};
  if (test.outcome == JunitTest::Outcome::Skipped)
    return fmt::format("<skipped message=\"{}\"/>", xml_escaped(test.message));
  const std::string_view element = test.outcome == JunitTest::Outcome::Failure ? "failure" : "error";
  const std::string opening = fmt::format("<{} message=\"{}\" type=\"{}\"", element,
                                          xml_escaped(test.message), xml_escaped(test.type));
  if (test.text.empty()) return opening + "/>";
  return fmt::format("{}>{}</{}>", opening, xml_escaped(test.text), element);
}

std::string suite_text(const JunitSuite& suite) {
  const auto count = [&](JunitTest::Outcome outcome) {
    return std::ranges::count(suite.tests, outcome, &JunitTest::outcome);
  };
  double seconds = 0;
  for (const JunitTest& test : suite.tests) seconds += test.seconds;
  const std::string name = xml_escaped(suite.name);
  const auto skipped = count(JunitTest::Outcome::Skipped);
  std::string text = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{} time=\"{:.6f}\">\n", name,
      suite.tests.size(), count(JunitTest::Outcome::Failure), count(JunitTest::Outcome::Error),
      skipped == 0 ? "" : fmt::format(" skipped=\"{}\"", skipped), seconds);
  for (const JunitTest& test : suite.tests)
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n", name,
                        xml_escaped(test.name), test.seconds, outcome_of(test));
  for (const std::string& note : suite.notes)
    text += fmt::format("    <system-out>{}</system-out>\n", xml_escaped("note: " + note));
  return text + "  </testsuite>\n";
}

}  // namespace

JunitSuite junit_suite(const Findings& findings) {
  JunitSuite suite{.name = findings.file, .tests = {}, .notes = findings.notes};
  for (const Finding& finding : findings.levels) suite.tests.push_back(test_of(findings, finding));
  return suite;
}

JunitSuite junit_suite(const std::string& file, const Error& problem) {
  return {.name = file,
          .tests = {{.name = "input",
                     .outcome = JunitTest::Outcome::Error,
                     .message = problem.describe(),
                     .type = "input"}}};
}

std::string junit_file(std::span<const JunitSuite> suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const JunitSuite& suite : suites) text += suite_text(suite);
  return text + "</testsuites>\n";
}

}  // namespace assay

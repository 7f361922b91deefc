#include "report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/text.h"

namespace assay {
namespace {

std::string outcome(const Findings& findings, const Finding& finding) {
  if (const auto* violated = std::get_if<Violated>(&finding.verdict)) {
    const std::string story = finding.story ? as_text(findings, *finding.story, {}) : "";
    return fmt::format("<failure message=\"{} is violated: {}\" type=\"{}\">{}</failure>", id(finding.level),
                       anomaly_name(*violated), name(violated->anomaly), xml_escaped(story));
  }
  if (const auto* open = std::get_if<Undecided>(&finding.verdict))
    return fmt::format("<error message=\"{} is undecided: {}\" type=\"undecided\"/>", id(finding.level),
                       xml_escaped(open->why));
  return {};
}

template <class T>
std::size_t count(const Findings& findings) {
  return std::ranges::count_if(findings.levels,
                               [](const Finding& f) { return std::holds_alternative<T>(f.verdict); });
}

}  // namespace

std::string junit_suite(const Findings& findings) {
  double seconds = 0;
  for (const Finding& finding : findings.levels) seconds += finding.seconds;
  std::string text =
      fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.6f}\">\n",
                  xml_escaped(findings.file), findings.levels.size(), count<Violated>(findings),
                  count<Undecided>(findings), seconds);
  for (const Finding& finding : findings.levels)
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\">{}</testcase>\n",
                        xml_escaped(findings.file), id(finding.level), finding.seconds,
                        outcome(findings, finding));
  for (const std::string& note : findings.notes)
    text += fmt::format("    <system-out>{}</system-out>\n", xml_escaped("note: " + note));
  return text + "  </testsuite>\n";
}

std::string junit_suite(const std::string& file, const Error& problem) {
  return fmt::format(
      "  <testsuite name=\"{0}\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
      "    <testcase classname=\"{0}\" name=\"input\"><error message=\"{1}\" type=\"input\"/></testcase>\n"
      "  </testsuite>\n",
      xml_escaped(file), xml_escaped(problem.describe()));
}

std::string junit_file(std::span<const std::string> suites) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const std::string& suite : suites) text += suite;
  return text + "</testsuites>\n";
}

}  // namespace assay

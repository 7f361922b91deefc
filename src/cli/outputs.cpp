#include "cli/outputs.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "history/digest.h"
#include "report/dot.h"
#include "report/html.h"
#include "report/junit.h"
#include "verdict/certificate.h"

namespace assay::cli {
namespace {

std::string certificate_of(const Findings& findings) {
  Certificate certificate{digest(findings.history()), {}};
  for (const Finding& finding : findings.levels) {
    if (std::holds_alternative<Undecided>(finding.verdict)) continue;
    if (finding.evidence) {
      certificate.sections.push_back(*finding.evidence);
      certificate.sections.back().found_by = finding.searcher;
      continue;
    }
    Section section{
        finding.level, {}, row(finding.level).needs_instants ? findings.skew : 0, finding.searcher};
    if (const auto* holds = std::get_if<Holds>(&finding.verdict)) section.evidence = *holds;
    else section.evidence = std::get<Violated>(finding.verdict).proof;
    certificate.sections.push_back(std::move(section));
  }
  return print(certificate, findings.history());
}

// A report does without pictures where Graphviz is not installed: the page draws its own.
std::string html_of(const Findings& findings, const Tool& tool) {
  const auto draw = [&](std::size_t story) { return try_draw_svg(as_dot(findings, story)); };
  return html_report(report_data(findings, tool, draw));
}

}  // namespace

Result<void> Outputs::possible_for(std::size_t histories) const {
  if (histories == 1) return {};
  for (const auto& [option, file] :
       {std::pair("--report", &report), {"--dot", &dot}, {"--svg", &svg}, {"--certificate", &certificate}})
    if (!file->empty())
      return error(fmt::format("{} needs exactly one history", option), "check one at a time");
  return {};
}

Result<void> Outputs::write(const Findings& findings) {
  if (!certificate.empty()) ASSAY_TRY(write_text(certificate, certificate_of(findings)));
  if (!dot.empty()) ASSAY_TRY(write_text(dot, as_dot(findings)));
  if (!report.empty()) ASSAY_TRY(write_text(report, html_of(findings, {ASSAY_VERSION, command, seed})));
  if (!junit.empty()) suites_.push_back(junit_suite(findings));
  if (!svg.empty()) {
    const auto picture = draw_svg(as_dot(findings));
    if (!picture) return picture.error();
    ASSAY_TRY(write_text(svg, *picture));
  }
  return {};
}

void Outputs::note(const std::string& file, const Error& problem) {
  if (!junit.empty()) suites_.push_back(junit_suite(file, problem));
}

Result<void> Outputs::finish() {
  if (junit.empty()) return {};
  return write_text(junit, junit_file(suites_));
}

}  // namespace assay::cli

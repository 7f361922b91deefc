#include "cli/outputs.h"

#include <fmt/format.h>

#include "api/version.h"
#include "cli/command.h"
#include "report/dot.h"
#include "report/evidence.h"
#include "report/html.h"

namespace assay::cli {
Result<void> Outputs::possible_for(std::size_t histories) const {
  if (histories == 1) return {};
  for (const auto& [option, file] :
       {std::pair("--report", &report), {"--dot", &dot}, {"--svg", &svg}, {"--certificate", &certificate}})
    if (!file->empty())
      return error(fmt::format("{} needs exactly one history", option), "check one at a time");
  return {};
}

Result<void> Outputs::write(const Findings& findings) {
  if (!certificate.empty()) ASSAY_TRY(write_text(certificate, certificate_text(findings)));
  if (!dot.empty()) ASSAY_TRY(write_text(dot, as_dot(findings)));
  if (!report.empty()) ASSAY_TRY(write_text(report, html_page(findings, {version(), command, seed})));
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

#include "cli/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "api/version.h"
#include "cli/command.h"
#include "report/dot.h"
#include "report/escape.h"
#include "report/evidence.h"
#include "report/html.h"
#include "report/junit.h"

namespace assay::cli {
namespace {

// Without Graphviz the report has no such pictures; the page draws its own.
std::string html_of(const Findings& findings, const Tool& tool) {
  const auto draw = [&](std::size_t story) { return try_draw_svg(as_dot(findings, story)); };
  return html_report(report_data(findings, tool, draw));
}

}  // namespace

Result<void> Outputs::possible_for(std::size_t histories) {
  if (histories == 1) return {};
  has_index_ = true;
  for (const auto& [option, file] :
       {std::pair("--dot", &dot), {"--svg", &svg}, {"--certificate", &certificate}})
    if (!file->empty())
      return error(fmt::format("{} needs exactly one history", option), "check one at a time");
  return {};
}

Result<void> Outputs::write(const Findings& findings) {
  if (!certificate.empty()) ASSAY_TRY(write_text(certificate, certificate_text(findings)));
  if (!dot.empty()) ASSAY_TRY(write_text(dot, as_dot(findings)));
  if (!report.empty()) ASSAY_TRY(write_report(findings));
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
  if (!report.empty() && has_index_) add_to_index("", file, "not judged: " + problem.describe());
}

Result<void> Outputs::write_report(const Findings& findings) {
  const std::string page = html_of(findings, {version(), command, seed});
  if (!has_index_) return write_text(report, page);
  std::filesystem::path path(report);
  path.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), ++pages_, path.extension().string()));
  std::string verdicts;
  for (const Finding& finding : findings.levels) {
    verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", id(finding.level), word(finding.verdict));
    if (const auto* violated = std::get_if<Violated>(&finding.verdict))
      verdicts += fmt::format(" ({})", anomaly_name(*violated));
  }
  add_to_index(path.filename().string(), findings.file, verdicts);
  return write_text(path.string(), page);
}

void Outputs::add_to_index(const std::string& page, const std::string& history, const std::string& verdicts) {
  const std::string name = xml_escaped(history);
  index_ += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n",
                        page.empty() ? name : fmt::format("<a href=\"{}\">{}</a>", xml_escaped(page), name),
                        xml_escaped(verdicts));
}

Result<void> Outputs::finish() {
  if (!report.empty() && has_index_)
    ASSAY_TRY(write_text(
        report, fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Assay: {0} "
                            "histories</title>\n<style>body{{font:16px sans-serif;margin:2em}}"
                            "td{{padding:.3em 1em .3em 0;vertical-align:top}}</style></head>\n"
                            "<body><h1>{0} histories</h1>\n<table>\n{1}</table></body></html>\n",
                            std::count(index_.begin(), index_.end(), '\n'), index_)));
  if (junit.empty()) return {};
  return write_text(junit, junit_file(suites_));
}

}  // namespace assay::cli

// Judging through the C interface, and access to the findings.
#include <assay/assay_c.h>

#include "api/calls.h"
#include "api/handles.h"
#include "api/limits.h"
#include "api/version.h"
#include "isolation/level_list.h"
#include "report/dot.h"
#include "report/evidence.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/text.h"

assay_findings::assay_findings(assay::Findings found) : findings(std::move(found)) {
  using namespace assay;
  for (const Finding& finding : findings.levels) {
    const auto* violated = std::get_if<Violated>(&finding.verdict);
    const auto* undecided = std::get_if<Undecided>(&finding.verdict);
    names.push_back({violated ? anomaly_name(*violated) : "", undecided ? undecided->why : ""});
  }
  for (std::size_t i = 0; i < findings.stories.size(); ++i)
    stories.push_back({levels_of(findings, i), title(findings.stories[i])});
  for (const Refused& refused : findings.refused) refusals.push_back(refused.why.describe());
}

namespace assay::api {
namespace {

std::string page(const Findings& findings) {
  const auto no_picture = [](std::size_t) { return std::nullopt; };  // the page draws its own
  return html_report(report_data(findings, {version(), ""}, no_picture));
}

std::string printed(const Findings& findings, assay_form form) {
  switch (form) {
    case ASSAY_TEXT: return verdict_lines(findings) + as_text(findings, {});
    case ASSAY_FULL_TEXT: return verdict_lines(findings) + as_text(findings, {.full = true});
    case ASSAY_JSON: return as_json(findings) + "\n";
    case ASSAY_HTML: return page(findings);
    case ASSAY_DOT: return as_dot(findings);
    case ASSAY_JUNIT: {
      const JunitSuite suite = junit_suite(findings);
      return junit_file({&suite, 1});
    }
  }
  throw misuse("an unknown form");
}

std::string printed(const Findings& findings, assay_form form, std::size_t story) {
  switch (form) {
    case ASSAY_TEXT: return as_text(findings, story, {});
    case ASSAY_FULL_TEXT: return as_text(findings, story, {.full = true});
    case ASSAY_JSON: return dump(violation(findings, story)) + "\n";
    case ASSAY_DOT: return as_dot(findings, story);
    default: throw misuse("there is no such form of a single explanation");
  }
}

}  // namespace
}  // namespace assay::api

using namespace assay;
using namespace assay::api;

extern "C" {

assay_status assay_judge(const assay_history* history, const char* levels, const assay_options* options,
                         assay_findings** findings, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(findings != nullptr, "there is no place for the findings");
    *findings = nullptr;
    require(history != nullptr && levels != nullptr, "there is no history or no level to judge");
    const auto list = parse_levels(levels);
    if (!list) return list.error();
    Limits limits(options);
    JudgeOptions judging = limits.for_judging();
    judging.levels = list->levels;
    auto found = judge(history->history, history->name, history->format, judging);
    if (!found) return found.error();
    *findings = new assay_findings(std::move(found).value());
    return {};
  });
}

void assay_findings_free(assay_findings* findings) { delete findings; }

size_t assay_findings_count(const assay_findings* findings) {
  return findings == nullptr ? 0 : findings->findings.levels.size();
}

assay_status assay_findings_get(const assay_findings* findings, size_t index, assay_finding* finding) {
  if (finding == nullptr || index >= assay_findings_count(findings)) return ASSAY_MISUSE;
  const assay_findings::Names& names = findings->names[index];
  *finding = shown(findings->findings.levels[index], names.anomaly, names.reason);
  return ASSAY_OK;
}

size_t assay_refused_count(const assay_findings* findings) {
  return findings == nullptr ? 0 : findings->refusals.size();
}

const char* assay_refused_level(const assay_findings* findings, size_t index) {
  return index < assay_refused_count(findings) ? id(findings->findings.refused[index].level).data() : nullptr;
}

const char* assay_refused_reason(const assay_findings* findings, size_t index) {
  return index < assay_refused_count(findings) ? findings->refusals[index].c_str() : nullptr;
}

size_t assay_note_count(const assay_findings* findings) {
  return findings == nullptr ? 0 : findings->findings.notes.size();
}

const char* assay_note(const assay_findings* findings, size_t index) {
  return index < assay_note_count(findings) ? findings->findings.notes[index].c_str() : nullptr;
}

size_t assay_explanation_count(const assay_findings* findings) {
  return findings == nullptr ? 0 : findings->stories.size();
}

assay_status assay_explanation_get(const assay_findings* findings, size_t index,
                                   assay_explanation* explanation) {
  if (explanation == nullptr || index >= assay_explanation_count(findings)) return ASSAY_MISUSE;
  const assay_findings::Story& story = findings->stories[index];
  const Explanation& told = findings->findings.stories[index];
  *explanation = {story.levels.c_str(), told.name.c_str(), story.title.c_str(), told.minimal};
  return ASSAY_OK;
}

assay_status assay_explanation_part(const assay_findings* findings, size_t index, assay_history** part,
                                    assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(part != nullptr, "there is no place for the part");
    *part = nullptr;
    require(index < assay_explanation_count(findings), "there is no such explanation");
    const History& shown = findings->findings.stories[index].part;
    *part = new assay_history{std::make_shared<const History>(shown), findings->findings.file, ""};
    return {};
  });
}

assay_status assay_print(const assay_findings* findings, assay_form form, int64_t explanation,
                         assay_bytes* text, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(text != nullptr, "there is no place for the text");
    *text = {};
    require(findings != nullptr, "there are no findings");
    if (explanation == ASSAY_EVERYTHING) {
      give(printed(findings->findings, form), text);
      return {};
    }
    const auto story = static_cast<std::size_t>(explanation);
    require(explanation >= 0 && story < findings->stories.size(), "there is no such explanation");
    give(printed(findings->findings, form, story), text);
    return {};
  });
}

assay_status assay_certificate(const assay_findings* findings, assay_bytes* text, assay_error** error) {
  return guarded(error, [&]() -> Result<void> {
    require(text != nullptr, "there is no place for the text");
    *text = {};
    require(findings != nullptr, "there are no findings");
    give(certificate_text(findings->findings), text);
    return {};
  });
}

size_t assay_level_count(void) { return levels().size(); }

assay_status assay_level_get(size_t index, assay_level* level) {
  if (level == nullptr || index >= levels().size()) return ASSAY_MISUSE;
  const LevelRow& row = levels()[index];
  *level = {row.id.data(), row.name.data(), row.definition.data(), row.needs_instants()};
  return ASSAY_OK;
}

const char* assay_version(void) { return version(); }
const char* assay_commit(void) { return commit(); }
int32_t assay_version_number(void) { return ASSAY_VERSION_NUMBER; }

}  // extern "C"

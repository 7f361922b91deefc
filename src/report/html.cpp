#include "report/html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/contract.h"
#include "history/digest.h"
#include "history/statistics.h"
#include "report/dot.h"
#include "report/timeline.h"

namespace assay {
namespace {

constexpr std::string_view kPlaceholder = "/*ASSAY_DATA*/null";

// The note in the file, and what the reader of the file remarked.
std::string note(const History& history) {
  std::string text = history.note();
  for (const std::string& remark : history.remarks()) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

Json history(const Findings& findings) {
  const Statistics s = statistics(findings.history());
  const auto count = [&](std::initializer_list<OpKind> kinds) {
    std::size_t sum = 0;
    for (const OpKind kind : kinds) sum += s.operations_of[static_cast<std::size_t>(kind)];
    return sum;
  };
  using enum OpKind;
  return {{"name", findings.file},
          {"format", findings.format},
          {"digest", fmt::format("{:016x}", digest(findings.history()))},
          {"sessions", s.sessions},
          {"transactions", s.transactions},
          {"committed", s.committed},
          {"aborted", s.aborted},
          {"unknown", s.unknown},
          {"operations", s.operations},
          {"reads", count({Read, ListRead, Scan, Select})},
          {"writes", count({Write, Append, Insert, Delete, Update, UpdateMaybe})},
          {"keys", s.keys},
          {"instants", findings.history().has_instants()},
          {"note", note(findings.history())}};
}

Json all_levels(const Findings& findings) {
  Json result = Json::array();
  for (const LevelRow& level : levels()) {
    Json implied = Json::array();
    for (const Level weaker : level.implies) implied.push_back(id(weaker));
    Json entry{{"id", level.id},     {"name", level.name}, {"implies", implied}, {"verdict", "not-asked"},
               {"anomaly", nullptr}, {"seconds", nullptr}, {"reason", nullptr}};
    for (const Finding& finding : findings.levels) {
      if (finding.level != level.level) continue;
      entry["verdict"] = word(finding.verdict);
      entry["seconds"] = finding.seconds;
      if (const auto* violated = std::get_if<Violated>(&finding.verdict))
        entry["anomaly"] = anomaly_name(*violated);
      if (const auto* open = std::get_if<Undecided>(&finding.verdict)) entry["reason"] = open->why;
      if (std::holds_alternative<Holds>(finding.verdict) && !findings.notes.empty())
        entry["reason"] = fmt::format("{}", fmt::join(findings.notes, "; "));
    }
    result.push_back(std::move(entry));
  }
  return result;
}

// Escapes characters that could end the script element. They occur only within JSON strings, so the JSON
// keeps its meaning.
std::string for_script(const std::string& json) {
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    if (json[i] == '<') text += "\\u003c";
    else if (json[i] == '>') text += "\\u003e";
    else if (json[i] == '&') text += "\\u0026";
    else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      text += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else text += json[i];
  }
  return text;
}

}  // namespace

Json report_data(const Findings& findings, const Tool& tool,
                 const std::function<std::optional<std::string>(std::size_t story)>& draw) {
  Json stages = Json::array(), violations = Json::array();
  for (const Stage& stage : findings.stages)
    stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  for (std::size_t story = 0; story < findings.stories.size(); ++story) {
    Json entry = violation(findings, story);
    const auto svg = draw(story);
    entry["svg"] = svg ? Json(*svg) : Json();
    violations.push_back(std::move(entry));
  }
  return {{"schema", 1},
          {"tool",
           {{"name", "assay"},
            {"version", tool.version},
            {"command", tool.command},
            {"seed", tool.seed ? Json(*tool.seed) : Json()}}},
          {"history", history(findings)},
          {"stages", stages},
          {"levels", all_levels(findings)},
          {"violations", violations},
          {"timeline", timeline(findings)}};
}

std::string html_report(const Json& data) {
  std::string page(report_page());
  const std::size_t place = page.find(kPlaceholder);
  ASSAY_REQUIRE(place != std::string::npos);
  return page.replace(place, kPlaceholder.size(), for_script(dump(data)));
}

// Without Graphviz the report has no such pictures; the page draws its own.
std::string html_page(const Findings& findings, const Tool& tool) {
  const auto draw = [&](std::size_t story) { return try_draw_svg(as_dot(findings, story)); };
  return html_report(report_data(findings, tool, draw));
}

}  // namespace assay

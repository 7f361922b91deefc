// The answer of `assay analyze` as SARIF 2.1.0, which code hosts and editors show beside the statements.
//
// An anomaly is a result whose rule is its name; notes and programs that were left out are notifications.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "analysis_report/baseline.h"
#include "analysis_report/words.h"
#include "isolation/anomaly.h"
#include "report/json.h"

namespace assay::analysis_report {
namespace {

// Names of files may hold anything; what a URI cannot say is escaped.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const unsigned char c : file)
    uri +=
        std::isalnum(c) != 0 || std::string_view("-._~/").find(static_cast<char>(c)) != std::string_view::npos
            ? std::string(1, static_cast<char>(c))
            : fmt::format("%{:02X}", c);
  return uri;
}

Json location(const sql::Place& place, const std::string& message = {}) {
  Json physical{{"artifactLocation", {{"uri", uri_of(place.file ? *place.file : "")}}}};
  if (place.line > 0) physical["region"] = {{"startLine", place.line}};
  Json json{{"physicalLocation", std::move(physical)}};
  if (!message.empty()) json["message"] = {{"text", message}};
  return json;
}

class AnalysisSarif {
 public:
  AnalysisSarif(const AnalysisView& view, const std::string& version) : view_(view), version_(version) {}

  Json run() {
    Json results = Json::array();
    for (const LevelResult& result : view_.levels)
      for (std::size_t i = 0; i < result.analysis.anomalies.size(); ++i)
        results.push_back(this->result(result, i));
    Json notifications = Json::array();
    for (const sql::Note& note : view_.application->notes)
      notifications.push_back({{"level", is_left_out(note) ? "warning" : "note"},
                               {"message", {{"text", note.text}}},
                               {"locations", Json::array({location(note.place)})}});
    Json driver{{"name", "Assay"}, {"version", version_}, {"rules", rules_}};
    Json invocation{{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notifications)}};
    Json one{{"tool", {{"driver", std::move(driver)}}},
             {"invocations", Json::array({std::move(invocation)})},
             {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(one)})}};
  }

 private:
  bool is_left_out(const sql::Note& note) const {
    return std::ranges::any_of(view_.application->left_out,
                               [&](const auto& l) { return l.why.text == note.text; });
  }

  std::size_t rule(Anomaly anomaly) {
    const AnomalyRow& kind = row(anomaly);
    for (std::size_t i = 0; i < rules_.size(); ++i)
      if (rules_[i]["id"] == kind.name) return i;
    rules_.push_back({{"id", kind.name}, {"shortDescription", {{"text", kind.meaning}}}});
    return rules_.size() - 1;
  }

  Json result(const LevelResult& of, std::size_t number) {
    const analysis::FoundAnomaly& found = of.analysis.anomalies[number];
    std::string calls;
    for (const analysis::Call& call : found.calls)
      calls += (calls.empty() ? "" : " and ") + call_text(view_, call);
    const std::size_t index = rule(found.name);
    Json places = Json::array();
    for (const analysis::Edge& edge : found.cycle) {
      const auto end = [&](std::size_t call, const sql::Place& place) {
        Json there =
            location(place, fmt::format("T{} {}", call + 1, statement_text(view_, found, edge, call)));
        if (std::ranges::find(places, there) == places.end()) places.push_back(std::move(there));
      };
      end(edge.from, edge.from_place);
      end(edge.to, edge.to_place);
    }
    Json json{
        {"ruleId", row(found.name).name},
        {"ruleIndex", index},
        {"level", "error"},
        {"message",
         {{"text", fmt::format("{} at isolation level {}: {}", row(found.name).name, of.level, calls)}}},
        {"locations", Json::array({places[0]})},
        {"relatedLocations", places},
        {"partialFingerprints", {{"assayFinding/v1", fingerprint(view_, of, found)}}}};
    if (number < of.known.size()) json["baselineState"] = of.known[number] ? "unchanged" : "new";
    return json;
  }

  const AnalysisView& view_;
  const std::string& version_;
  Json rules_ = Json::array();
};

}  // namespace

std::string as_sarif(const AnalysisView& view, const std::string& version) {
  return dump(AnalysisSarif(view, version).run());
}

}  // namespace assay::analysis_report

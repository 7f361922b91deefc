// The answer of `assay analyze` as JSON: one object with "schema": 1, which only grows.
#include "report/json.h"
#include "analysis_report/baseline.h"
#include "analysis_report/words.h"
#include "isolation/anomaly.h"

namespace assay::analysis_report {
namespace {

class AnalysisJson {
 public:
  explicit AnalysisJson(const AnalysisView& view) : view_(view) {}

  Json run() {
    Json json{{"schema", 1}, {"files", view_.files}, {"programs", Json::array()}, {"notes", Json::array()}};
    for (const sql::Program& program : view_.application->programs) json["programs"].push_back(program.name);
    for (const sql::Note& note : view_.application->notes) {
      Json entry = place(note.place);
      entry["text"] = note.text;
      json["notes"].push_back(std::move(entry));
    }
    if (!view_.application->left_out.empty()) json["left_out"] = Json::array();
    for (const auto& left : view_.application->left_out) json["left_out"].push_back(left.name);
    json["results"] = Json::array();
    for (const LevelResult& one : view_.levels) json["results"].push_back(result(one));
    if (view_.all_levels) {
      const auto& [proved, unproved, up_to] = view_.weakest;
      json["weakest_safe"] = proved ? Json(analysis::id(*proved)) : Json();
      if (unproved)
        json["weakest_not_refuted"] = {{"level", analysis::id(*unproved)}, {"up_to_transactions", up_to}};
    }
    if (view_.advice) json["advice"] = advice_text(view_);
    if (!view_.database.empty()) json["database"] = view_.database;
    return json;
  }

 private:
  static Json place(const sql::Place& place) {
    return Json{{"file", place.file ? *place.file : ""}, {"line", place.line}};
  }

  static Json value(const analysis::Value& value) { return value.null ? Json() : Json(value.text); }

  Json result(const LevelResult& one) const {
    const analysis::Analysis& a = one.analysis;
    Json json{{"level", one.level},     {"verdict", word(a.outcome)}, {"cycle", a.cycle},
              {"seconds", one.seconds}, {"queries", a.queries},       {"anomalies", Json::array()}};
    for (std::size_t i = 0; i < a.anomalies.size(); ++i) {
      Json found = anomaly(a.anomalies[i]);
      found["fingerprint"] = fingerprint(view_, one, a.anomalies[i]);
      if (i < one.known.size()) found["known"] = one.known[i] ? true : false;
      if (i < one.replays.size()) found["replay"] = replay(one.replays[i]);
      json["anomalies"].push_back(std::move(found));
    }
    if (a.proof) json["proof"] = proof_text(view_, *a.proof);
    if (a.harmless > 0) json["harmless"] = a.harmless;
    if (!a.notes.empty()) json["notes"] = a.notes;
    return json;
  }

  Json anomaly(const analysis::FoundAnomaly& found) const {
    constexpr std::string_view harms[] = {"lost-update", "writes", "reads"};
    Json json{{"anomaly", name(found.name)},
              {"harm", harms[static_cast<std::size_t>(found.harm)]},
              {"programs", programs_text(view_, found)},
              {"calls", Json::array()},
              {"initial_rows", Json::array()},
              {"cycle", Json::array()},
              {"schedule", Json::array()},
              {"complete", found.complete},
              {"folded", found.folded}};
    for (const analysis::Call& call : found.calls) json["calls"].push_back(this->call(call));
    for (const analysis::Row& row : found.initial_rows) json["initial_rows"].push_back(this->row(row));
    for (const analysis::Edge& edge : found.cycle) json["cycle"].push_back(this->edge(found, edge));
    for (const analysis::Step& step : found.schedule) {
      const bool commits = step.kind == analysis::Step::Kind::Commit;
      json["schedule"].push_back(commits ? Json{{"transaction", step.call}, {"commits", true}}
                                         : Json{{"transaction", step.call}, {"statement", step.statement}});
    }
    return json;
  }

  Json call(const analysis::Call& call) const {
    const sql::Program& program = view_.application->programs[call.program];
    Json arguments = Json::object();
    for (std::size_t i = 0; i < program.parameters.size() && i < call.arguments.size(); ++i) {
      const sql::Variable& parameter = program[program.parameters[i]];
      Json values = Json::array();
      for (const analysis::Value& one : call.arguments[i]) values.push_back(value(one));
      arguments[parameter.name] = parameter.is_set || values.empty() ? values : values[0];
    }
    return Json{{"program", program.name}, {"arguments", arguments}, {"level", analysis::id(call.level)}};
  }

  Json row(const analysis::Row& row) const {
    const sql::Table& table = view_.application->schema[row.table];
    Json values = Json::object();
    for (std::size_t i = 0; i < row.values.size(); ++i) values[table.columns[i].name] = value(row.values[i]);
    return Json{{"table", table.name}, {"values", values}};
  }

  Json edge(const analysis::FoundAnomaly& found, const analysis::Edge& edge) const {
    constexpr std::string_view kinds[] = {"wr", "rw", "ww"};
    const sql::Table& table = view_.application->schema[edge.table];
    Json key = Json::array();
    for (const analysis::Value& part : edge.key) key.push_back(value(part));
    const auto end = [&](std::size_t call, const sql::Place& at) {
      Json json = place(at);
      json["transaction"] = call;
      json["sql"] = statement_text(view_, found, edge, call);
      return json;
    };
    return Json{{"kind", kinds[static_cast<std::size_t>(edge.kind)]},
                {"table", table.name},
                {"key", key},
                {"column", edge.column ? Json(table[*edge.column].name) : Json()},
                {"from", end(edge.from, edge.from_place)},
                {"to", end(edge.to, edge.to_place)}};
  }

  static Json replay(const replay::Replayed& replayed) {
    constexpr std::string_view words[] = {"confirmed", "not-reproduced", "impossible"};
    Json json{{"outcome", words[static_cast<std::size_t>(replayed.kind)]}, {"why", replayed.why}};
    if (!replayed.story.empty()) json["story"] = replayed.story;
    if (!replayed.attempts.empty()) json["attempts"] = replayed.attempts;
    return json;
  }

  const AnalysisView& view_;
};

}  // namespace

std::string as_json(const AnalysisView& view) { return dump(AnalysisJson(view).run()); }

}  // namespace assay::analysis_report

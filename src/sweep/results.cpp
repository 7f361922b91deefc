#include "sweep/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace assay::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const LevelResult& level) {
  Json json{{"level", level.level}, {"verdict", level.verdict}, {"seconds", level.seconds}};
  if (!level.anomaly.empty()) json["anomaly"] = level.anomaly;
  if (!level.why.empty()) json["why"] = level.why;
  if (!level.text.empty()) json["text"] = level.text;
  return json;
}

// The members that a reader needs; others are ignored, so that newer files can be merged by older tools.
HistoryResult result_of(const Json& json) {
  HistoryResult result;
  result.input = {json.at("path"), json.at("bytes"), json.at("modified")};
  result.asked = json.at("asked");
  result.transactions = json.value("transactions", std::uint64_t{0});
  result.seconds = json.value("seconds", 0.0);
  for (const Json& level : json.value("levels", Json::array())) {
    LevelResult read{level.at("level"), level.at("verdict"), level.value("seconds", 0.0)};
    read.anomaly = level.value("anomaly", "");
    read.why = level.value("why", "");
    read.text = level.value("text", "");
    result.levels.push_back(std::move(read));
  }
  result.notes = json.value("notes", std::vector<std::string>{});
  result.problem = json.value("problem", "");
  result.page = json.value("page", "");
  return result;
}

}  // namespace

bool HistoryResult::has(std::string_view verdict) const {
  return std::ranges::find(levels, verdict, &LevelResult::verdict) != levels.end();
}

std::string as_line(const HistoryResult& result) {
  Json json{
      {"path", result.input.path}, {"bytes", result.input.bytes},         {"modified", result.input.modified},
      {"asked", result.asked},     {"transactions", result.transactions}, {"seconds", result.seconds},
      {"levels", Json::array()}};
  for (const LevelResult& level : result.levels) json["levels"].push_back(as_json(level));
  if (!result.notes.empty()) json["notes"] = result.notes;
  if (!result.problem.empty()) json["problem"] = result.problem;
  if (!result.page.empty()) json["page"] = result.page;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<HistoryResult> parse_line(std::string_view line) {
  try {
    return result_of(Json::parse(line));
  } catch (const Json::exception& problem) {
    return error(fmt::format("no result of a sweep: {}", problem.what()));
  }
}

Result<Results> read_results(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return error(fmt::format("{}: cannot open", file));
  Results results;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const bool is_complete = !in.eof();
    if (is_complete) results.whole_bytes += line.size() + 1;
    if (line.empty()) continue;
    auto result = parse_line(line);
    if (result && is_complete) {
      results.all.push_back(std::move(result).value());
    } else if (is_complete) {
      Error problem = result.error();
      problem.file = file;
      problem.place = std::to_string(number);
      return problem;
    } else {
      results.dropped = true;
    }
  }
  return results;
}

}  // namespace assay::sweep

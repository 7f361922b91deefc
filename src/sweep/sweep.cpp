#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/hash.h"
#include "base/stopwatch.h"
#include "report/text.h"
#include "sweep/pool.h"

namespace assay::sweep {
namespace {

LevelResult level_result(const Findings& findings, const Finding& finding) {
  LevelResult result{std::string(id(finding.level)), std::string(word(finding.verdict)), finding.seconds};
  if (const auto* violated = std::get_if<Violated>(&finding.verdict)) {
    result.anomaly = anomaly_name(*violated);
    if (finding.story) result.text = as_text(findings, *finding.story, {});
  }
  if (const auto* open = std::get_if<Undecided>(&finding.verdict)) result.why = open->why;
  return result;
}

// The page's name says which history it is about, and differs for histories of the same name.
std::string page_name(const std::string& path) {
  constexpr std::size_t kLongest = 80;
  std::string name = path.size() > kLongest ? path.substr(path.size() - kLongest) : path;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '-') c = '_';
  while (name.starts_with('.') || name.starts_with('_')) name.erase(0, 1);
  return fmt::format("violations/{}-{:08x}.html", name, static_cast<std::uint32_t>(hash_bytes(path)));
}

Result<void> write_page(const std::string& file, const Findings& findings, const Tool& tool) {
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), problem);
  std::ofstream out(file, std::ios::binary);
  out << html_page(findings, tool);
  out.close();
  return out ? Result<void>{} : error(fmt::format("{}: cannot write", file));
}

}  // namespace

std::string asked(const JudgeOptions& judge) {
  std::string text;
  for (const Level level : judge.levels) text += (text.empty() ? "" : ",") + std::string(id(level));
  if (judge.skew != 0) text += fmt::format(" --skew {}", judge.skew);
  const JepsenOptions& jepsen = judge.reading.jepsen;
  if (!jepsen.workload.empty()) text += " --jepsen-workload " + jepsen.workload;
  for (const std::string& f : jepsen.ignored) text += " --jepsen-ignore " + f;
  return text;
}

std::vector<HistoryResult> results_about(const std::vector<Input>& inputs, std::vector<HistoryResult> known,
                                         const std::string& asked, std::vector<Input>& left) {
  std::map<std::string_view, HistoryResult*> by_path;
  for (HistoryResult& result : known)
    if (result.asked == asked) by_path[result.input.path] = &result;
  std::vector<HistoryResult> about;
  for (const Input& input : inputs) {
    const auto found = by_path.find(input.path);
    if (found != by_path.end() && found->second->input == input) about.push_back(std::move(*found->second));
    else left.push_back(input);
  }
  return about;
}

HistoryResult judge_input(const Input& input, const SweepOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  HistoryResult result{.input = input, .asked = asked(options.judge)};
  const auto findings = judge_file(input.path, options.format, options.judge);
  if (!findings) {
    result.problem = findings.error().describe();
  } else {
    result.transactions = findings->judged ? findings->history().transaction_count() : 0;
    for (const Finding& finding : findings->levels) result.levels.push_back(level_result(*findings, finding));
    result.notes = findings->notes;
    for (const Refused& refused : findings->refused)
      result.notes.push_back(fmt::format("not judged at {}: {}", id(refused.level), refused.why.describe()));
    if (result.has("violated") && !options.folder.empty()) {
      const std::string page = page_name(input.path);
      const auto written = write_page(options.folder + "/" + page, *findings, options.tool);
      if (written) result.page = page;
      else result.notes.push_back(written.error().describe());
    }
  }
  result.seconds = seconds_since(start);
  return result;
}

Result<void> sweep(std::vector<Input> inputs, const SweepOptions& options) {
  // A large history that comes last would be waited for by one process, while the others have nothing to do.
  std::ranges::stable_sort(inputs, std::greater<>{}, &Input::bytes);
  Work work{.pieces = inputs.size(), .processes = options.processes, .stop = options.stop};
  work.run = [&](std::size_t i) { return as_line(judge_input(inputs[i], options)); };
  work.done = [&](std::size_t i, std::optional<std::string> answer, const std::string& how) {
    auto result = answer ? parse_line(*answer) : Result<HistoryResult>(error(how));
    if (result) return options.on_result(*result);
    options.on_result(
        {.input = inputs[i], .asked = asked(options.judge), .problem = result.error().describe()});
  };
  return run_in_processes(work);
}

}  // namespace assay::sweep

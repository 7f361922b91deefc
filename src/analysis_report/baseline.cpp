#include "analysis_report/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "analysis_report/words.h"
#include "base/hash.h"
#include "isolation/anomaly.h"

namespace assay::analysis_report {
namespace {

constexpr std::size_t kDigits = 16;

}  // namespace

std::string fingerprint(const AnalysisView& view, const LevelResult& result,
                        const analysis::FoundAnomaly& anomaly) {
  std::vector<std::string> edges;
  for (const analysis::Edge& edge : anomaly.cycle) {
    const auto end = [&](std::size_t call, std::uint32_t number) {
      const std::size_t program = anomaly.calls[call].program;
      return fmt::format("{}: {}", view.application->programs[program].name,
                         statement_text(view, program, number, edge.table));
    };
    edges.push_back(end(edge.from, edge.from_statement) + " -> " + end(edge.to, edge.to_statement));
  }
  // A cycle is the same wherever it is said to begin.
  std::vector<std::string> least = edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    std::ranges::rotate(edges, edges.begin() + 1);
    least = std::min(least, edges);
  }
  return fmt::format("{:0{}x}", hash_bytes(fmt::format("{}\n{}", result.level, fmt::join(least, "\n"))),
                     kDigits);
}

std::string as_baseline(const AnalysisView& view) {
  std::set<std::string> lines;
  for (const LevelResult& result : view.levels)
    for (const analysis::FoundAnomaly& anomaly : result.analysis.anomalies) {
      std::string programs;
      for (const analysis::Call& call : anomaly.calls)
        programs += (programs.empty() ? "" : ", ") + view.application->programs[call.program].name;
      lines.insert(fmt::format("{}  {}: {}: {}", fingerprint(view, result, anomaly), result.level,
                               name(anomaly.name), programs));
    }
  std::string text =
      "# Findings that assay analyze --baseline accepts. The first word of each line counts.\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Result<std::set<std::string>> read_baseline(const std::string& file) {
  std::ifstream input(file);
  std::set<std::string> known;
  std::size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    const std::string word = line.substr(0, line.find_first_of(" \t\r"));
    if (word.empty() || word[0] == '#') continue;
    if (word.size() != kDigits || word.find_first_not_of("0123456789abcdef") != word.npos)
      return Error{fmt::format("{} is no fingerprint of a finding", word),
                   "--write-baseline writes such a file", file, std::to_string(number)};
    known.insert(word);
  }
  if (!input.eof()) return Error{"cannot be read", "--write-baseline FILE writes it", file, ""};
  return known;
}

std::size_t new_anomalies(const LevelResult& result) {
  return result.analysis.anomalies.size() - static_cast<std::size_t>(std::ranges::count(result.known, true));
}

std::size_t mark_known(AnalysisView& view, const std::set<std::string>& known) {
  std::set<std::string> gone = known;
  for (LevelResult& result : view.levels) {
    result.known.clear();
    for (const analysis::FoundAnomaly& anomaly : result.analysis.anomalies) {
      const std::string print = fingerprint(view, result, anomaly);
      result.known.push_back(known.contains(print));
      gone.erase(print);
    }
  }
  return gone.size();
}

}  // namespace assay::analysis_report

// What `assay analyze` found out, as one value for its printers: text, JSON, a page, SARIF and JUnit. They
// return text and print nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/advice.h"
#include "analysis/analyze.h"
#include "replay/replay.h"
#include "replay/trial.h"
#include "report/drawing.h"
#include "report/html.h"
#include "sql/program.h"

namespace assay::analysis_report {

struct LevelResult {
  std::string level;  // as the user gave it, or the id
  analysis::Analysis analysis;
  double seconds = 0;
  std::vector<replay::Replayed> replays{};  // one for each anomaly, or none
  std::vector<bool> known{};                // with a baseline, for each anomaly whether it is in it
};

struct AnalysisView {
  std::vector<std::string> files;
  const sql::Application* application = nullptr;
  std::vector<LevelResult> levels;
  bool all_levels = false;
  analysis::WeakestLevels weakest{};  // of all levels
  std::optional<analysis::Advice> advice{};
  std::optional<replay::Trials> trials{};  // of the advice, where anomalies were confirmed
  std::string database{};                  // where it was replayed
  std::size_t gone = 0;                    // findings of the baseline that were not found
};

// Draws a graph for Graphviz; nothing where that is not possible.
using DrawSvg = std::function<std::optional<std::string>(const std::string& dot)>;

std::string as_text(const AnalysisView& view);
std::string as_json(const AnalysisView& view);  // one line without its end
std::string as_page(const AnalysisView& view, const Tool& tool, const DrawSvg& draw = try_draw_svg);
std::string as_sarif(const AnalysisView& view, const std::string& version);
std::string as_junit(const AnalysisView& view);

}  // namespace assay::analysis_report

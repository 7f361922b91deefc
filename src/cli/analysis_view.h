// What `assay analyze` found out, as one value for its three printers: text, JSON and a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/advice.h"
#include "analysis/analyze.h"
#include "replay/replay.h"
#include "sql/program.h"

namespace assay::cli {

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
  std::string database{};  // where it was replayed
  std::size_t gone = 0;    // findings of the baseline that were not found
};

std::string as_text(const AnalysisView& view);
std::string as_json(const AnalysisView& view);  // one line without its end
std::string as_page(const AnalysisView& view, const std::string& command);
std::string as_sarif(const AnalysisView& view);
std::string as_junit(const AnalysisView& view);

// What the printers share.
std::string_view word(analysis::Outcome outcome);      // anomaly, none, serializable, undecided
std::size_t new_anomalies(const LevelResult& result);  // all, without a baseline
std::string verdict_text(const LevelResult& result);   // "no anomaly up to 3 transactions"
std::string harm_words(analysis::Harm harm);
// Cycles of the same programs stand together. The programs: "place_bid, place_bid".
std::string programs_text(const AnalysisView& view, const analysis::FoundAnomaly& anomaly);
// Before the first of several: "2 cycles of place_bid, place_bid"; otherwise empty.
std::string group_heading(const AnalysisView& view, const LevelResult& result, std::size_t number);
std::string spelled(const analysis::Value& value);  // 7, 'text', NULL
std::string call_text(const AnalysisView& view,
                      const analysis::Call& call);                         // withdraw(id => 1, amount => 7)
std::string row_text(const AnalysisView& view, const analysis::Row& row);  // account(id = 1, balance = 10)
std::string cell_text(const AnalysisView& view, const analysis::Edge& edge);  // account(1).balance
std::string edge_words(const analysis::Edge& edge);                           // "reads what the next writes"
// The statement of the text with this number, as SQL; the part on `table` where it was taken apart.
std::string statement_text(const AnalysisView& view, std::size_t program, std::uint32_t number,
                           sql::TableId table);
std::string weakest_text(const AnalysisView& view);  // "si (proved)"
std::vector<std::string> proof_text(const AnalysisView& view, const analysis::Proof& proof);
std::vector<std::string> advice_text(const AnalysisView& view);

}  // namespace assay::cli

// What `assay analyze` found out, as one value for its three printers: text, JSON and a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/advice.h"
#include "analysis/analyze.h"
#include "sql/program.h"

namespace assay::cli {

// What became of an anomaly on a real database.
struct Replayed {
  enum class Kind : std::uint8_t { Confirmed, NotReproduced, Impossible };
  Kind kind;
  std::string why;      // why not; of a confirmed one, what the database did
  std::string story;    // of a confirmed one: the checker's explanation
  std::string anomaly;  // of a confirmed one: what the checker calls it
};

struct LevelResult {
  std::string level;  // as the user gave it, or the id
  analysis::Analysis analysis;
  double seconds = 0;
  std::vector<Replayed> replays{};  // one for each anomaly, or none
  std::vector<bool> known{};        // with a baseline, for each anomaly whether it is in it
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
std::string spelled(const analysis::Value& value);     // 7, 'text', NULL
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

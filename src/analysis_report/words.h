// How the printers say things: programs, calls, rows, dependencies, proofs and advice in words.
#pragma once

#include "analysis_report/view.h"

namespace assay::analysis_report {

std::string_view word(analysis::Outcome outcome);     // anomaly, none, serializable, undecided
std::string verdict_text(const LevelResult& result);  // "no anomaly up to 3 transactions"
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
                           sql::TableId table, bool changes = false);
// The statement at an end of the edge: what changes the row where that end writes it.
std::string statement_text(const AnalysisView& view, const analysis::FoundAnomaly& found,
                           const analysis::Edge& edge, std::size_t call);
std::string weakest_text(const AnalysisView& view);  // "si (proved)"
std::vector<std::string> proof_text(const AnalysisView& view, const analysis::Proof& proof);
std::vector<std::string> advice_text(const AnalysisView& view);

}  // namespace assay::analysis_report

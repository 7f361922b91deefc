// The answer of `assay analyze` for a terminal.
#include <fmt/format.h>

#include <algorithm>

#include "analysis_report/words.h"
#include "isolation/anomaly.h"
#include "report/escape.h"

namespace assay::analysis_report {
namespace {

constexpr std::size_t kLongestStatement = 110;

class AnalysisText {
 public:
  explicit AnalysisText(const AnalysisView& view) : view_(view) {}

  std::string run() {
    heading();
    for (const LevelResult& result : view_.levels) verdict_line(result);
    if (view_.all_levels) line("weakest safe level: {}", weakest_text(view_));
    notes();
    for (const LevelResult& result : view_.levels) details(result);
    if (view_.advice) {
      line("\nwhat would help:");
      for (const std::string& text : advice_text(view_)) line("  - {}", text);
    }
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    text_ += fmt::format(form, std::forward<Args>(args)...) + '\n';
  }

  void heading() {
    std::string programs;
    for (const sql::Program& program : view_.application->programs)
      programs += (programs.empty() ? "" : ", ") + program.name;
    const auto tables = std::ranges::count(view_.application->schema.tables, false, &sql::Table::of_locks);
    line("# {} over {} table{}: {}", fmt::join(view_.files, " "), tables, tables == 1 ? "" : "s", programs);
  }

  // LEVEL, what was found, SECONDS, the name of the anomaly: separated by tabs, as assay check prints.
  void verdict_line(const LevelResult& result) {
    std::string names;
    for (const auto& anomaly : result.analysis.anomalies)
      if (const auto name = std::string(assay::name(anomaly.name)); names.find(name) == std::string::npos)
        names += (names.empty() ? "" : ",") + name;
    line("{}\t{}\t{:.2f}\t{}", result.level, verdict_text(result), result.seconds,
         names.empty() ? "-" : names);
  }

  void notes() {
    for (const sql::Note& note : view_.application->notes)
      line("note: {}: {}", sql::to_text(note.place), note.text);
    if (view_.gone > 0)
      line("note: {} of the baseline's findings {} not found any more", view_.gone,
           view_.gone == 1 ? "is" : "are");
  }

  // Of a table, one anomaly for each level is enough to read.
  void details(const LevelResult& result) {
    const analysis::Analysis& a = result.analysis;
    const std::size_t shown =
        view_.all_levels ? std::min<std::size_t>(1, a.anomalies.size()) : a.anomalies.size();
    for (std::size_t i = 0; i < shown; ++i) anomaly(result, i);
    if (shown < a.anomalies.size())
      line("  ({} more at {}: assay analyze --level {})", a.anomalies.size() - shown, result.level,
           result.level);
    if (a.proof) {
      line("\n{}: proof", result.level);
      for (const std::string& text : proof_text(view_, *a.proof)) line("  {}", text);
    }
    if (a.harmless > 0) line("{}: {} harmless anomalies are left out", result.level, a.harmless);
    for (const std::string& note : a.notes) line("{}: {}", result.level, note);
  }

  void anomaly(const LevelResult& result, std::size_t number) {
    const analysis::FoundAnomaly& found = result.analysis.anomalies[number];
    const AnomalyRow& kind = row(found.name);
    if (const std::string group = view_.all_levels ? "" : group_heading(view_, result, number);
        !group.empty())
      line("\n{}: {}", result.level, group);
    const bool known = number < result.known.size() && result.known[number];
    line("\n{}: {} ({}){}", result.level, kind.name, kind.meaning, known ? ", known" : "");
    line("  {}", harm_words(found.harm));
    for (std::size_t i = 0; i < found.calls.size(); ++i)
      line("  T{}  {}", i + 1, call_text(view_, found.calls[i]));
    if (!found.initial_rows.empty()) line("  before:");
    for (const analysis::Row& row : found.initial_rows) line("      {}", row_text(view_, row));
    line("  cycle:");
    for (const analysis::Edge& edge : found.cycle) this->edge(found, edge);
    if (!found.complete) line("  other transactions may be needed to bring this about");
    if (found.folded > 0) line("  {} more by the same statements", found.folded);
    if (number < result.replays.size()) replay(result.replays[number]);
  }

  void edge(const analysis::FoundAnomaly& found, const analysis::Edge& edge) {
    constexpr std::string_view kinds[] = {"WR", "RW", "WW"};
    line("      T{} -{}-> T{}  {}", edge.from + 1, kinds[static_cast<std::size_t>(edge.kind)], edge.to + 1,
         cell_text(view_, edge));
    const auto statement = [&](std::size_t call, const sql::Place& place) {
      line("          T{}  {}: {}", call + 1, sql::to_text(place),
           shortened(statement_text(view_, found, edge, call), kLongestStatement));
    };
    statement(edge.from, edge.from_place);
    statement(edge.to, edge.to_place);
  }

  void replay(const replay::Replayed& replayed) {
    constexpr std::string_view words[] = {"confirmed", "not reproduced", "cannot be replayed"};
    line("  {} on {}: {}", words[static_cast<std::size_t>(replayed.kind)], view_.database, replayed.why);
    for (std::size_t start = 0; start < replayed.story.size();) {
      const auto end = std::min(replayed.story.find('\n', start), replayed.story.size());
      line("    {}", replayed.story.substr(start, end - start));
      start = end + 1;
    }
  }

  const AnalysisView& view_;
  std::string text_;
};

}  // namespace

std::string as_text(const AnalysisView& view) { return AnalysisText(view).run(); }

}  // namespace assay::analysis_report

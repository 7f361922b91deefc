// The answer of `assay analyze` as one page that opens offline: the levels, and every anomaly with its cycle
// drawn. No script; all text is escaped.
//
// Graphviz draws a cycle as it draws those of `assay check`. Where it is not installed, the cycle is a line
// of text.
#include <fmt/format.h>

#include "analysis_report/words.h"
#include "isolation/anomaly.h"
#include "report/escape.h"
#include "report/page.h"

namespace assay::analysis_report {
namespace {

constexpr std::size_t kLongestText = 48;  // of arguments and of a cell

std::string_view kind_of_edge(const analysis::Edge& edge) {
  constexpr std::string_view kinds[] = {"wr", "rw", "ww"};
  return kinds[static_cast<std::size_t>(edge.kind)];
}

std::string name_of_call(const AnalysisView& view, const analysis::FoundAnomaly& anomaly, std::size_t call) {
  return fmt::format("T{} {}", call + 1, view.application->programs[anomaly.calls[call].program].name);
}

// The calls with their arguments. Their statements are too long for a picture: a table below it has them.
Drawing drawing_of(const AnalysisView& view, const analysis::FoundAnomaly& anomaly) {
  Drawing drawing;
  for (std::size_t i = 0; i < anomaly.calls.size(); ++i) {
    const std::string words = call_text(view, anomaly.calls[i]);
    const std::size_t open = words.find('(') + 1;
    DrawnNode node{i, name_of_call(view, anomaly, i)};
    if (open + 1 < words.size())
      node.lines.push_back({shortened(words.substr(open, words.size() - open - 1), kLongestText)});
    drawing.nodes.push_back(std::move(node));
  }
  for (const analysis::Edge& edge : anomaly.cycle)
    drawing.edges.push_back({.from = edge.from,
                             .to = edge.to,
                             .kind = std::string(kind_of_edge(edge)),
                             .text = shortened(cell_text(view, edge), kLongestText)});
  return drawing;
}

// `T1 withdraw -rw account(1).balance-> T2 withdraw -ww ...-> T1 withdraw`
std::string cycle_in_words(const AnalysisView& view, const analysis::FoundAnomaly& anomaly) {
  std::string text = fmt::format("<p class=\"cycle\"><b>{}</b>", xml_escaped(name_of_call(view, anomaly, 0)));
  for (const analysis::Edge& edge : anomaly.cycle)
    text +=
        fmt::format(" <span class=\"{0}\">&mdash;{0} {1}&rarr;</span> <b>{2}</b>", kind_of_edge(edge),
                    xml_escaped(cell_text(view, edge)), xml_escaped(name_of_call(view, anomaly, edge.to)));
  return text + "</p>\n";
}

class AnalysisPage {
 public:
  AnalysisPage(const AnalysisView& view, const DrawSvg& draw) : view_(view), draw_(draw) {}

  std::string run(const Tool& tool) {
    std::string programs;
    for (const sql::Program& program : view_.application->programs)
      programs += (programs.empty() ? "" : ", ") + program.name;
    text_ =
        fmt::format("<p>{}</p>\n", xml_escaped(fmt::format("{}: {}", fmt::join(view_.files, " "), programs)));
    levels();
    if (view_.all_levels)
      text_ += fmt::format("<p>weakest safe level: {}</p>\n", xml_escaped(weakest_text(view_)));
    for (const LevelResult& result : view_.levels) {
      if (result.analysis.harmless > 0)
        text_ += fmt::format("<p>{}: {} harmless anomalies are left out</p>\n", xml_escaped(result.level),
                             result.analysis.harmless);
      for (std::size_t i = 0; i < result.analysis.anomalies.size(); ++i) anomaly(result, i);
      if (result.analysis.proof) list(result.level + ": proof", proof_text(view_, *result.analysis.proof));
    }
    if (view_.advice) list("What would help", advice_text(view_));
    std::vector<std::string> notes;
    for (const sql::Note& note : view_.application->notes)
      notes.push_back(sql::to_text(note.place) + ": " + note.text);
    for (const LevelResult& result : view_.levels)
      for (const std::string& note : result.analysis.notes) notes.push_back(result.level + ": " + note);
    if (view_.gone > 0)
      notes.push_back(fmt::format("{} of the baseline's findings are not found any more", view_.gone));
    if (!notes.empty()) list("What was assumed", notes);
    return static_page("Assay: transaction programs", "Transaction programs at weak isolation", text_, tool);
  }

 private:
  void levels() {
    text_ +=
        "<table><thead><tr><th>level</th><th>answer</th><th "
        "class=\"number\">seconds</th></tr></thead><tbody>\n";
    for (const LevelResult& result : view_.levels) {
      const bool bad = result.analysis.outcome == analysis::Outcome::AnomalyFound;
      const bool good = result.analysis.outcome != analysis::Outcome::NotDecided && !bad;
      text_ += fmt::format("<tr><th>{}</th><td class=\"{}\">{}</td><td class=\"number\">{:.2f}</td></tr>\n",
                           xml_escaped(result.level),
                           bad    ? "violated"
                           : good ? "holds"
                                  : "",
                           xml_escaped(verdict_text(result)), result.seconds);
    }
    text_ += "</tbody></table>\n";
  }

  void list(const std::string& heading, const std::vector<std::string>& entries) {
    text_ += fmt::format("<h2>{}</h2>\n<ul>\n", xml_escaped(heading));
    for (const std::string& entry : entries) text_ += fmt::format("<li>{}</li>\n", xml_escaped(entry));
    text_ += "</ul>\n";
  }

  void anomaly(const LevelResult& result, std::size_t number) {
    const analysis::FoundAnomaly& found = result.analysis.anomalies[number];
    if (const std::string group = group_heading(view_, result, number); !group.empty())
      text_ += fmt::format("<h2>{}: {}</h2>\n", xml_escaped(result.level), xml_escaped(group));
    text_ += fmt::format("<section>\n<h2>{}: {}</h2>\n<p>{}; {}</p>\n{}", xml_escaped(result.level),
                         name(found.name), xml_escaped(row(found.name).meaning),
                         xml_escaped(harm_words(found.harm)), picture(found));
    text_ += "<h3>Calls</h3>\n<table>";
    for (std::size_t i = 0; i < found.calls.size(); ++i)
      text_ += fmt::format("<tr><th>T{}</th><td><code>{}</code></td></tr>\n", i + 1,
                           xml_escaped(call_text(view_, found.calls[i])));
    text_ += "</table>\n<h3>Dependencies</h3>\n<table>";
    for (const analysis::Edge& edge : found.cycle) this->edge(found, edge);
    text_ += "</table>\n";
    if (!found.initial_rows.empty()) {
      text_ += "<h3>Rows before</h3>\n<pre>";
      for (const analysis::Row& row : found.initial_rows) text_ += xml_escaped(row_text(view_, row)) + "\n";
      text_ += "</pre>\n";
    }
    if (!found.complete) text_ += "<p>other transactions may be needed to bring this about</p>\n";
    if (found.folded > 0) text_ += fmt::format("<p>{} more by the same statements</p>\n", found.folded);
    if (number < result.known.size() && result.known[number]) text_ += "<p>known: the baseline has it</p>\n";
    if (number < result.replays.size()) replay(result.replays[number]);
    text_ += "</section>\n";
  }

  std::string picture(const analysis::FoundAnomaly& found) const {
    const auto svg = draw_(as_dot({drawing_of(view_, found)}));
    return svg ? figure(*svg) : cycle_in_words(view_, found);
  }

  void edge(const analysis::FoundAnomaly& found, const analysis::Edge& edge) {
    const auto end = [&](std::size_t call, const sql::Place& place) {
      return fmt::format("T{} <code>{}: {}</code>", call + 1, xml_escaped(sql::to_text(place)),
                         xml_escaped(statement_text(view_, found, edge, call)));
    };
    text_ += fmt::format("<tr><td>{}<br>{}</td><td>{}<br>{}</td></tr>\n", xml_escaped(cell_text(view_, edge)),
                         xml_escaped(edge_words(edge)), end(edge.from, edge.from_place),
                         end(edge.to, edge.to_place));
  }

  void replay(const replay::Replayed& replayed) {
    constexpr std::string_view words[] = {"Confirmed", "Not reproduced", "Cannot be replayed"};
    text_ += fmt::format("<h3>{} on {}</h3>\n<p>{}</p>\n", words[static_cast<std::size_t>(replayed.kind)],
                         xml_escaped(view_.database), xml_escaped(replayed.why));
    if (!replayed.story.empty()) text_ += fmt::format("<pre>{}</pre>\n", xml_escaped(replayed.story));
  }

  const AnalysisView& view_;
  const DrawSvg& draw_;
  std::string text_;
};

}  // namespace

std::string as_page(const AnalysisView& view, const Tool& tool, const DrawSvg& draw) {
  return AnalysisPage(view, draw).run(tool);
}

}  // namespace assay::analysis_report

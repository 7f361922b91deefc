// The answer of `assay analyze` as one page that opens offline: the levels, and every anomaly with its cycle
// drawn.
//
// The picture is made here, without Graphviz: transactions on a circle, dependencies as arrows around it,
// which is all that a cycle needs. No script; all text is escaped.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "analysis_report/words.h"
#include "isolation/anomaly.h"
#include "report/escape.h"

namespace assay::analysis_report {
namespace {

constexpr std::string_view kPageHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay: transaction programs</title>
<style>
:root { --ink: #1c2329; --faint: #5b6770; --paper: #fff; --line: #d8dee3; --good: #1a7f4b; --bad: #b3261e; --card: #f6f8f9;
        --wr: #1b7f4b; --ww: #2f5fb3; --rw: #c0392b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8eb; --faint: #98a4ad; --paper: #14191d; --line: #333d45; --good: #6fd19c; --bad: #ff9b92;
          --card: #1b2227; --wr: #6fd19c; --ww: #8fb3ff; --rw: #ff9b92; } }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
       background: var(--paper); }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p, footer { color: var(--faint); margin: .25rem 0 1rem; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0; }
th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { max-width: 100%; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .small { font-size: 11px; fill: var(--faint); }
svg rect { fill: var(--card); stroke: var(--line); }
.wr { stroke: var(--wr); fill: none; } .ww { stroke: var(--ww); fill: none; } .rw { stroke: var(--rw); fill: none; }
svg [class$=label] { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; }
svg .wr-label { fill: var(--wr); } svg .ww-label { fill: var(--ww); } svg .rw-label { fill: var(--rw); }
svg marker path { stroke: none; } svg .wr-head { fill: var(--wr); } svg .ww-head { fill: var(--ww); } svg .rw-head { fill: var(--rw); }
</style>
</head>
<body>
)";

constexpr std::string_view kEdgeKinds[] = {"wr", "rw", "ww"};
std::string_view kind_of_edge(const analysis::Edge& edge) {
  return kEdgeKinds[static_cast<std::size_t>(edge.kind)];
}

struct Point {
  double x, y;
};

class CyclePicture {
 public:
  CyclePicture(const AnalysisView& view, const analysis::FoundAnomaly& anomaly)
      : view_(view), anomaly_(anomaly), count_(anomaly.calls.size()) {}

  std::string draw() {
    std::string text = fmt::format(
        R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="the cycle of dependencies">)",
        kWidth, kHeight);
    text += "<defs>";
    for (const std::string_view kind : kEdgeKinds)
      text += fmt::format(
          R"(<marker id="head-{0}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" )"
          R"(orient="auto-start-reverse"><path class="{0}-head" d="M0 0L10 5L0 10z"/></marker>)",
          kind);
    text += "</defs>";
    for (const analysis::Edge& edge : anomaly_.cycle) text += arrow(edge);
    for (std::size_t i = 0; i < count_; ++i) text += card(i);
    return text + "</svg>";
  }

 private:
  static constexpr double kWidth = 900, kHeight = 460, kCardWidth = 230, kCardHeight = 46;

  Point place(std::size_t call) const {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(call) / static_cast<double>(count_)) -
                         std::numbers::pi / 2;
    // Two stand beside each other.
    const double turned = count_ == 2 ? angle - std::numbers::pi / 2 : angle;
    return {kWidth / 2 + 310 * std::cos(turned), kHeight / 2 + 170 * std::sin(turned)};
  }

  std::string card(std::size_t call) const {
    const Point at = place(call);
    const std::string words = call_text(view_, anomaly_.calls[call]);
    const auto open = words.find('(');
    return fmt::format(R"(<rect x="{:.0f}" y="{:.0f}" width="{}" height="{}" rx="6"/>)"
                       R"(<text x="{:.0f}" y="{:.0f}" text-anchor="middle">T{} {}</text>)"
                       R"(<text class="small" x="{:.0f}" y="{:.0f}" text-anchor="middle">{}</text>)",
                       at.x - kCardWidth / 2, at.y - kCardHeight / 2, kCardWidth, kCardHeight, at.x, at.y - 4,
                       call + 1, xml_escaped(words.substr(0, open)), at.x, at.y + 13,
                       xml_escaped(shortened(words.substr(open), 40)));
  }

  // Where the line from the middle of a card towards `to` leaves the card.
  static Point border(Point from, Point to) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double scale = std::min(dx == 0 ? 1e9 : (kCardWidth / 2 + 4) / std::abs(dx),
                                  dy == 0 ? 1e9 : (kCardHeight / 2 + 4) / std::abs(dy));
    return {from.x + dx * scale, from.y + dy * scale};
  }

  std::string arrow(const analysis::Edge& edge) const {
    const Point a = place(edge.from), b = place(edge.to);
    // Bent away from the middle, so that two in opposite directions do not meet.
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    const Point bend{middle.x + dy / length * 60, middle.y - dx / length * 60};
    const Point start = border(a, bend), end = border(b, bend);
    const std::string_view kind = kind_of_edge(edge);
    return fmt::format(
        R"svg(<path class="{0}" stroke-width="2" marker-end="url(#head-{0})" d="M{1:.0f} {2:.0f}Q{3:.0f} {4:.0f} {5:.0f} {6:.0f}"/>)svg"
        R"(<text class="{0}-label" x="{7:.0f}" y="{8:.0f}" text-anchor="middle">{9} {10}</text>)",
        kind, start.x, start.y, bend.x, bend.y, end.x, end.y, (middle.x + bend.x) / 2,
        (middle.y + bend.y) / 2 - 6,
        kind == "wr"   ? "WR"
        : kind == "ww" ? "WW"
                       : "RW",
        xml_escaped(shortened(cell_text(view_, edge), 48)));
  }

  const AnalysisView& view_;
  const analysis::FoundAnomaly& anomaly_;
  std::size_t count_;
};

class AnalysisPage {
 public:
  explicit AnalysisPage(const AnalysisView& view) : view_(view) {}

  std::string run(const Tool& tool) {
    text_ = kPageHead;
    std::string programs;
    for (const sql::Program& program : view_.application->programs)
      programs += (programs.empty() ? "" : ", ") + program.name;
    text_ += fmt::format("<h1>Transaction programs at weak isolation</h1>\n<p>{}</p>\n",
                         xml_escaped(fmt::format("{}: {}", fmt::join(view_.files, " "), programs)));
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
    return text_ + fmt::format("<footer>assay {}: {}</footer>\n</body>\n</html>\n", xml_escaped(tool.version),
                               xml_escaped(tool.command));
  }

 private:
  void levels() {
    text_ += "<table><thead><tr><th>level</th><th>answer</th><th>seconds</th></tr></thead><tbody>\n";
    for (const LevelResult& result : view_.levels) {
      const bool bad = result.analysis.outcome == analysis::Outcome::AnomalyFound;
      const bool good = result.analysis.outcome != analysis::Outcome::NotDecided && !bad;
      text_ += fmt::format("<tr><th>{}</th><td class=\"{}\">{}</td><td>{:.2f}</td></tr>\n",
                           xml_escaped(result.level),
                           bad    ? "bad"
                           : good ? "good"
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
    text_ += fmt::format("<section>\n<h2>{}: {}</h2>\n<p>{}; {}</p>\n<figure>{}</figure>\n",
                         xml_escaped(result.level), name(found.name), xml_escaped(row(found.name).meaning),
                         xml_escaped(harm_words(found.harm)), CyclePicture(view_, found).draw());
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

  void edge(const analysis::FoundAnomaly& found, const analysis::Edge& edge) {
    const auto end = [&](std::size_t call, const sql::Place& place, std::uint32_t number) {
      return fmt::format("T{} <code>{}: {}</code>", call + 1, xml_escaped(sql::to_text(place)),
                         xml_escaped(statement_text(view_, found.calls[call].program, number, edge.table)));
    };
    text_ += fmt::format("<tr><td>{}<br>{}</td><td>{}<br>{}</td></tr>\n", xml_escaped(cell_text(view_, edge)),
                         xml_escaped(edge_words(edge)), end(edge.from, edge.from_place, edge.from_statement),
                         end(edge.to, edge.to_place, edge.to_statement));
  }

  void replay(const replay::Replayed& replayed) {
    constexpr std::string_view words[] = {"Confirmed", "Not reproduced", "Cannot be replayed"};
    text_ += fmt::format("<h3>{} on {}</h3>\n<p>{}</p>\n", words[static_cast<std::size_t>(replayed.kind)],
                         xml_escaped(view_.database), xml_escaped(replayed.why));
    if (!replayed.story.empty()) text_ += fmt::format("<pre>{}</pre>\n", xml_escaped(replayed.story));
  }

  const AnalysisView& view_;
  std::string text_;
};

}  // namespace

std::string as_page(const AnalysisView& view, const Tool& tool) { return AnalysisPage(view).run(tool); }

}  // namespace assay::analysis_report

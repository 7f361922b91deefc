#include "report/dot.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "report/escape.h"

namespace assay {
namespace {

constexpr std::size_t kLongestText = 60;

std::string_view colour(Dependency::Kind kind) {
  constexpr std::string_view colours[] = {"#1b7f4b", "#2f5fb3", "#c0392b", "#8a6d1f", "#7a4fa3"};
  return colours[static_cast<std::size_t>(kind)];
}

class Drawing {
 public:
  explicit Drawing(const Findings& findings) : findings_(findings) {
    text_ =
        "digraph assay {\n"
        "  graph [fontname=\"Helvetica\", rankdir=LR, nodesep=0.6, ranksep=1.0, labelloc=t];\n"
        "  node [shape=plain, fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\", fontsize=11];\n";
  }

  void story(std::size_t number, bool alone) {
    const Explanation& e = findings_.stories[number];
    const std::string label = fmt::format("<b>{}</b><br/>{}: {}", xml_escaped(title(e)),
                                          levels_of(findings_, number), row(e.anomaly).meaning);
    if (alone) line("  label=<{}>;", label);
    else line("  subgraph cluster_{} {{ label=<{}>; color=\"#bbbbbb\";", number, label);
    collect(e);
    for (const TxnId t : e.part.transactions()) card(e, number, t);
    for (const Dependency& edge : e.edges) arrow(e.part, number, edge, true);
    for (const Dependency* edge : grounds_) arrow(e.part, number, *edge, false);
    if (!alone) line("  }}");
  }

  void nothing() { line("  label=\"no level that was asked for is violated\";"); }

  std::string done() && { return std::move(text_) + "}\n"; }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    text_ += fmt::format(form, std::forward<Args>(args)...) + '\n';
  }

  using Shape = std::tuple<TxnId, TxnId, Dependency::Kind, KeyId>;
  static Shape shape(const Dependency& d) { return {d.from, d.to, d.kind, d.key}; }

  // The operations that matter, and the steps of reasons that are not drawn as edges.
  void collect(const Explanation& e) {
    matters_.clear();
    grounds_.clear();
    drawn_.clear();
    seen_.clear();
    for (const Dependency& edge : e.edges) drawn_.insert(shape(edge));
    for (const Dependency& edge : e.edges) collect(edge);
  }
  void collect(const Dependency& edge) {
    matters_.insert(edge.operations.begin(), edge.operations.end());
    if (!edge.reason || !seen_.insert(edge.reason.get()).second) return;
    matters_.insert(edge.reason->reads.begin(), edge.reason->reads.end());
    for (const Dependency& step : edge.reason->steps) {
      if (!step.supposed && drawn_.insert(shape(step)).second) grounds_.push_back(&step);
      collect(step);
    }
  }

  void card(const Explanation& e, std::size_t story, TxnId t) {
    const History& h = e.part;
    std::string rows;
    for (const OpId op : h.operations(t)) {
      const std::string operation = xml_escaped(shortened(text(e, op), kLongestText));
      rows += fmt::format("<tr><td align=\"left\">{}</td></tr>",
                          matters_.contains(op) ? "<b>" + operation + "</b>" : operation);
    }
    constexpr std::string_view outcomes[] = {"", ", aborted", ", outcome unknown"};
    line(
        "  t{}_{} [label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" "
        "color=\"#555555\">"
        "<tr><td bgcolor=\"#eeeeee\"><b>{}</b> <font point-size=\"10\">session "
        "{}{}</font></td></tr>{}</table>>];",
        story, t.index(), xml_escaped(h.display(t)), xml_escaped(h.display(h.session(t))),
        outcomes[static_cast<std::size_t>(h.outcome(t))], rows);
  }

  void arrow(const History& h, std::size_t story, const Dependency& edge, bool strong) {
    const std::string key =
        edge.key.is_none() ? "" : " " + xml_escaped(shortened(h.display(edge.key), kLongestText));
    line("  t{}_{} -> t{}_{} [label=<{}{}>, color=\"{}\", fontcolor=\"{}\", penwidth={}, style={}];", story,
         edge.from.index(), story, edge.to.index(), name(edge.kind), key, colour(edge.kind),
         colour(edge.kind), strong ? "2" : "0.7", edge.inferred ? "dashed" : "solid");
  }

  const Findings& findings_;
  std::string text_;
  std::set<OpId> matters_;
  std::vector<const Dependency*> grounds_;
  std::set<Shape> drawn_;
  std::set<const Reason*> seen_;
};

}  // namespace

std::string as_dot(const Findings& findings, std::size_t story) {
  Drawing drawing(findings);
  drawing.story(story, true);
  return std::move(drawing).done();
}

std::string as_dot(const Findings& findings) {
  if (findings.stories.size() == 1) return as_dot(findings, 0);
  Drawing drawing(findings);
  for (std::size_t story = 0; story < findings.stories.size(); ++story) drawing.story(story, false);
  if (findings.stories.empty()) drawing.nothing();
  return std::move(drawing).done();
}

}  // namespace assay

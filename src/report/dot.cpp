#include "report/dot.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "report/escape.h"

namespace assay {
namespace {

constexpr std::size_t kLongestText = 60;

// Draws one explanation.
class StoryDrawing {
 public:
  StoryDrawing(const Findings& findings, std::size_t number)
      : explanation_(findings.stories[number]),
        drawing_{title(explanation_),
                 fmt::format("{}: {}", levels_of(findings, number), row(explanation_.anomaly).meaning)} {
    for (const Dependency& edge : explanation_.edges) drawn_.insert(shape(edge));
    for (const Dependency& edge : explanation_.edges) collect(edge);
  }

  Drawing draw() && {
    for (const TxnId t : explanation_.part.transactions()) add_card(t);
    for (const Dependency& edge : explanation_.edges) add_arrow(edge, true);
    for (const Dependency* edge : grounds_) add_arrow(*edge, false);
    return std::move(drawing_);
  }

 private:
  using Shape = std::tuple<TxnId, TxnId, Dependency::Kind, KeyId>;
  static Shape shape(const Dependency& d) { return {d.from, d.to, d.kind, d.key}; }

  // Collects the operations to show, and the steps of reasons that are not on the cycle.
  void collect(const Dependency& edge) {
    matters_.insert(edge.operations.begin(), edge.operations.end());
    if (!edge.reason || !seen_.insert(edge.reason.get()).second) return;
    matters_.insert(edge.reason->reads.begin(), edge.reason->reads.end());
    for (const Dependency& step : edge.reason->steps) {
      if (!step.supposed && drawn_.insert(shape(step)).second) grounds_.push_back(&step);
      collect(step);
    }
  }

  void add_card(TxnId t) {
    const History& h = explanation_.part;
    constexpr std::string_view outcomes[] = {"", ", aborted", ", outcome unknown"};
    DrawnNode node{t.index(), h.display(t),
                   fmt::format("session {}{}", h.display(h.session(t)),
                               outcomes[static_cast<std::size_t>(h.outcome(t))])};
    for (const OpId op : h.operations(t))
      node.lines.push_back({shortened(text(explanation_, op), kLongestText), matters_.contains(op)});
    drawing_.nodes.push_back(std::move(node));
  }

  void add_arrow(const Dependency& edge, bool strong) {
    const std::string key =
        edge.key.is_none() ? "" : shortened(explanation_.part.display(edge.key), kLongestText);
    drawing_.edges.push_back({.from = edge.from.index(),
                              .to = edge.to.index(),
                              .kind = std::string(name(edge.kind)),
                              .text = key,
                              .strong = strong,
                              .inferred = edge.inferred});
  }

  const Explanation& explanation_;
  Drawing drawing_;
  std::set<OpId> matters_;
  std::vector<const Dependency*> grounds_;
  std::set<Shape> drawn_;
  std::set<const Reason*> seen_;
};

}  // namespace

std::string as_dot(const Findings& findings, std::size_t story) {
  return as_dot({StoryDrawing(findings, story).draw()});
}

std::string as_dot(const Findings& findings) {
  std::vector<Drawing> drawings;
  for (std::size_t story = 0; story < findings.stories.size(); ++story)
    drawings.push_back(StoryDrawing(findings, story).draw());
  return as_dot(drawings, DrawingStyle::Cards, "no level that was asked for is violated");
}

}  // namespace assay

#include "report/drawing.h"

#include <fmt/format.h>

#include "history/scalar.h"
#include "report/escape.h"

namespace assay {
namespace {

constexpr std::string_view kCardsHead =
    "digraph assay {\n"
    "  graph [fontname=\"Helvetica\", rankdir=LR, nodesep=0.6, ranksep=1.0, labelloc=t];\n"
    "  node [shape=plain, fontname=\"Helvetica\"];\n"
    "  edge [fontname=\"Helvetica\", fontsize=11];\n";
constexpr std::string_view kLatticeHead =
    "digraph lattice {\n"
    "  rankdir=BT;\n"
    "  node [shape=box, fontname=\"sans-serif\"];\n"
    "  edge [fontname=\"monospace\", fontsize=9];\n";

// web/src/style/document.css replaces these colours when the picture is on a page.
std::string_view colour_of(std::string_view kind) {
  if (kind == "wr") return "#1b7f4b";
  if (kind == "ww") return "#2f5fb3";
  if (kind == "rw") return "#c0392b";
  return kind == "so" ? "#8a6d1f" : "#7a4fa3";
}

std::string dot_quoted(std::string_view text) {
  std::string quoted;
  print_json_string(text, quoted);
  return quoted;
}

class DotWriter {
 public:
  DotWriter(DrawingStyle style, bool alone)
      : style_(style), alone_(alone), text_(style == DrawingStyle::Cards ? kCardsHead : kLatticeHead) {}

  void add(const Drawing& drawing, std::size_t number) {
    id_ = prefix(style_, number);
    const std::string label =
        fmt::format("<b>{}</b><br/>{}", xml_escaped(drawing.title), xml_escaped(drawing.subtitle));
    if (!alone_) line("  subgraph cluster_{} {{ label=<{}>; color=\"#bbbbbb\";", number, label);
    else if (!drawing.title.empty()) line("  label=<{}>;", label);
    for (const DrawnNode& node : drawing.nodes)
      line("  {}{} [label={}{}];", id_, node.number,
           style_ == DrawingStyle::Cards ? card(node) : dot_quoted(node.heading),
           remarks(node.tooltip, node.link));
    for (const DrawnEdge& edge : drawing.edges)
      line("  {0}{1} -> {0}{2} [{3}];", id_, edge.from, edge.to,
           style_ == DrawingStyle::Cards ? arrow(edge)
                                         : fmt::format("dir=none{}", remarks(edge.tooltip, edge.link)));
    if (!alone_) line("  }}");
  }

  static std::string prefix(DrawingStyle style, std::size_t number) {
    return style == DrawingStyle::Cards ? fmt::format("t{}_", number) : "n";
  }

  void add_text(std::string_view text) { line("  label={};", dot_quoted(text)); }

  std::string finish() && { return std::move(text_) + "}\n"; }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    text_ += fmt::format(form, std::forward<Args>(args)...) + '\n';
  }

  static std::string remarks(const std::string& tooltip, const std::string& link) {
    std::string text;
    if (!tooltip.empty()) text += ", tooltip=" + dot_quoted(tooltip);
    if (!link.empty()) text += ", URL=" + dot_quoted(link);
    return text;
  }

  static std::string card(const DrawnNode& node) {
    std::string rows;
    for (const DrawnLine& one : node.lines) {
      const std::string text = xml_escaped(one.text);
      rows += fmt::format("<tr><td align=\"left\">{}</td></tr>", one.matters ? "<b>" + text + "</b>" : text);
    }
    const std::string remark =
        node.remark.empty() ? ""
                            : fmt::format(" <font point-size=\"10\">{}</font>", xml_escaped(node.remark));
    return fmt::format(
        "<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#555555\">"
        "<tr><td bgcolor=\"#eeeeee\"><b>{}</b>{}</td></tr>{}</table>>",
        xml_escaped(node.heading), remark, rows);
  }

  static std::string arrow(const DrawnEdge& edge) {
    return fmt::format("label=<{}{}{}>, color=\"{}\", fontcolor=\"{}\", penwidth={}, style={}", edge.kind,
                       edge.text.empty() ? "" : " ", xml_escaped(edge.text), colour_of(edge.kind),
                       colour_of(edge.kind), edge.strong ? "2" : "0.7", edge.inferred ? "dashed" : "solid");
  }

  DrawingStyle style_;
  bool alone_;
  std::string text_, id_;
};

}  // namespace

std::string as_dot(const std::vector<Drawing>& drawings, DrawingStyle style, std::string_view otherwise) {
  DotWriter writer(style, drawings.size() == 1);
  for (std::size_t i = 0; i < drawings.size(); ++i) writer.add(drawings[i], i);
  if (drawings.empty()) writer.add_text(otherwise);
  return std::move(writer).finish();
}

std::string dot_name(DrawingStyle style, std::size_t node) {
  return fmt::format("{}{}", DotWriter::prefix(style, 0), node);
}

std::optional<std::string> try_draw_svg(const std::string& dot) {
  auto svg = draw_svg(dot);
  return svg ? std::optional(std::move(svg).value()) : std::nullopt;
}

}  // namespace assay

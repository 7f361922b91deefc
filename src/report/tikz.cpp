// Positions come from Graphviz in its plain format, one line for a node or an edge; texts come from the
// drawing, because LaTeX sets them itself.
#include "report/tikz.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace assay {
namespace {

constexpr std::string_view kTikzHead =
    "\\documentclass[tikz,border=2mm]{standalone}\n"
    "\\definecolor{wr}{HTML}{1B7F4B}\\definecolor{ww}{HTML}{2F5FB3}\\definecolor{rw}{HTML}{C0392B}\n"
    "\\definecolor{so}{HTML}{8A6D1F}\\definecolor{other}{HTML}{7A4FA3}\n"
    "\\begin{document}\n"
    "\\begin{tikzpicture}[x=1in,y=1in,box/.style={draw,fill=white,font=\\sffamily\\small},\n"
    "  says/.style={fill=white,inner sep=1pt,font=\\sffamily\\scriptsize}]\n";
constexpr std::string_view kTikzTail = "\\end{tikzpicture}\n\\end{document}\n";

std::string latex_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n') escaped += "\\\\";
    else if (c == '\\') escaped += "\\textbackslash{}";
    else if (c == '~') escaped += "\\textasciitilde{}";
    else if (c == '^') escaped += "\\textasciicircum{}";
    else if (c == '<') escaped += "\\textless{}";
    else if (c == '>') escaped += "\\textgreater{}";
    else {
      if (std::string_view("{}$&#_%").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string tikz_colour(std::string_view kind) {
  const bool known = kind == "wr" || kind == "ww" || kind == "rw" || kind == "so";
  return std::string(known ? kind : "other");
}

struct PlacedEdge {
  std::vector<std::string> points;  // `(x,y)`: a start, then three for each Bezier curve
  std::string label;                // where it stands, or empty
};

struct Layout {
  std::map<std::string, std::string> nodes;  // `(x,y)`
  std::map<std::pair<std::string, std::string>, PlacedEdge> edges;
};

Layout read_layout(const std::string& plain) {
  Layout layout;
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name, x, y;
    words >> kind >> name;
    if (kind == "node" && words >> x >> y) layout.nodes[name] = fmt::format("({},{})", x, y);
    if (kind != "edge") continue;
    std::string to;
    std::size_t count = 0;
    words >> to >> count;
    PlacedEdge edge;
    while (count-- > 0 && words >> x >> y) edge.points.push_back(fmt::format("({},{})", x, y));
    // What is left: a label, which may have blanks, and its place; then the style and the colour.
    std::vector<std::string> rest;
    for (std::string word; words >> word;) rest.push_back(word);
    if (rest.size() > 4) edge.label = fmt::format("({},{})", rest[rest.size() - 4], rest[rest.size() - 3]);
    layout.edges[{name, to}] = std::move(edge);
  }
  return layout;
}

std::string text_of_node(const DrawnNode& node, DrawingStyle style) {
  if (style == DrawingStyle::Lattice) return latex_escaped(node.heading);
  std::string text = "\\textbf{" + latex_escaped(node.heading) + "}";
  for (const DrawnLine& line : node.lines) text += "\\\\" + latex_escaped(line.text);
  return text;
}

std::string curve(const PlacedEdge& edge) {
  std::string path = edge.points.empty() ? std::string() : edge.points[0];
  for (std::size_t i = 1; i + 2 < edge.points.size(); i += 3)
    path +=
        fmt::format(" .. controls {} and {} .. {}", edge.points[i], edge.points[i + 1], edge.points[i + 2]);
  return path;
}

}  // namespace

Result<std::string> as_tikz(const Drawing& drawing, DrawingStyle style) {
  auto plain = lay_out(as_dot({drawing}, style));
  if (!plain) return std::move(plain).error();
  const Layout layout = read_layout(*plain);
  const auto name = [&](std::size_t number) { return dot_name(style, number); };
  std::string text(kTikzHead);
  // Lines first, so that boxes cover their ends.
  for (const DrawnEdge& edge : drawing.edges) {
    const auto placed = layout.edges.find({name(edge.from), name(edge.to)});
    if (placed == layout.edges.end()) continue;
    const std::string colour = style == DrawingStyle::Lattice ? "black" : tikz_colour(edge.kind);
    text += fmt::format("\\draw[{}{}{}] {};\n", colour, style == DrawingStyle::Cards ? ",->,thick" : "",
                        edge.inferred ? ",dashed" : "", curve(placed->second));
    if (style == DrawingStyle::Cards && !placed->second.label.empty())
      text += fmt::format("\\node[says,text={}] at {} {{{}}};\n", colour, placed->second.label,
                          latex_escaped(edge.kind + (edge.text.empty() ? "" : " " + edge.text)));
  }
  for (const DrawnNode& node : drawing.nodes)
    if (const auto placed = layout.nodes.find(name(node.number)); placed != layout.nodes.end())
      text += fmt::format("\\node[box,align={}] at {} {{{}}};\n",
                          style == DrawingStyle::Lattice ? "center" : "left", placed->second,
                          text_of_node(node, style));
  return text + std::string(kTikzTail);
}

}  // namespace assay

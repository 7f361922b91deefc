// Nodes and labelled edges as a graph for Graphviz: the one place that writes DOT. What is drawn are the
// transactions of a violation (dot.h), the calls of an anomaly of programs, and the lattice of
// specifications.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

struct DrawnLine {
  std::string text;
  bool matters = false;
};

struct DrawnNode {
  std::size_t number;  // unique in its drawing
  std::string heading;
  std::string remark{};  // behind the heading, in small letters
  std::vector<DrawnLine> lines{};
};

struct DrawnEdge {
  std::size_t from, to;   // numbers of nodes
  std::string kind{};     // wr, ww, rw, so, rt: the beginning of the label; the colour says it, too
  std::string text{};     // the rest of the label
  bool strong = true;     // otherwise thin
  bool inferred = false;  // dashed
  std::string tooltip{};
};

struct Drawing {
  std::string title{}, subtitle{};
  std::vector<DrawnNode> nodes{};
  std::vector<DrawnEdge> edges{};
};

enum class DrawingStyle : std::uint8_t {
  Cards,    // nodes are cards with lines, beside each other; edges are arrows
  Lattice,  // nodes are boxes, the greater ones on top; edges are lines with tooltips
};

// All drawings in one picture. Without any, `otherwise` is its text.
std::string as_dot(const std::vector<Drawing>& drawings, DrawingStyle style = DrawingStyle::Cards,
                   std::string_view otherwise = {});

// The picture, made by Graphviz's `dot`; an error says what to install.
Result<std::string> draw_svg(const std::string& dot);
// Nothing where Graphviz cannot draw it: for pages that can do without.
std::optional<std::string> try_draw_svg(const std::string& dot);

}  // namespace assay

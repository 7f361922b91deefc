// Prints nodes and labelled edges in DOT, the language of Graphviz; no other file writes DOT. It draws the
// transactions of a violation (dot.h), the calls in an anomaly of programs, and the lattice of
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
  std::string remark{};  // after the heading, in small letters
  std::vector<DrawnLine> lines{};
  std::string tooltip{};
  std::string link{};  // where a click on it leads
};

struct DrawnEdge {
  std::size_t from, to;   // numbers of nodes
  std::string kind{};     // wr, ww, rw, so, rt: the beginning of the label; it also gives the colour
  std::string text{};     // the rest of the label
  bool strong = true;     // false: a thin line
  bool inferred = false;  // a dashed line
  std::string tooltip{};
  std::string link{};  // where a click on it leads
};

struct Drawing {
  std::string title{}, subtitle{};
  std::vector<DrawnNode> nodes{};
  std::vector<DrawnEdge> edges{};
};

enum class DrawingStyle : std::uint8_t {
  Cards,    // nodes are cards with lines, side by side; edges are arrows
  Lattice,  // nodes are boxes, greater ones above smaller ones; edges are lines with tooltips
};

// All drawings in one picture. If there are none, the picture shows the text `otherwise`.
std::string as_dot(const std::vector<Drawing>& drawings, DrawingStyle style = DrawingStyle::Cards,
                   std::string_view otherwise = {});

// What a node is called in the DOT of a drawing that is alone.
std::string dot_name(DrawingStyle style, std::size_t node);

// Renders the picture with Graphviz's `dot`. If that fails, the error says what to install.
Result<std::string> draw_svg(const std::string& dot);
// The positions of nodes and edges, in Graphviz's plain format.
Result<std::string> lay_out(const std::string& dot);
// The same as draw_svg(), but nothing when it fails: for pages that can do without the picture.
std::optional<std::string> try_draw_svg(const std::string& dot);

}  // namespace assay

// The edges of a graph of points in words: "1<2 reads" where a transaction has one point, "s1<c1 own" where
// it has two. Transactions are numbered from 1, as tests name their sessions.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "dependency/points.h"

namespace assay::test {

inline std::string point_in_words(const Points& points, std::uint32_t node) {
  const char* kind = !points.two() ? "" : points.is_commit(node) ? "c" : "s";
  return fmt::format("{}{}", kind, points.txn(node).value + 1);
}

inline std::string edge_in_words(const Points& points, const Edge& edge, Rule rule) {
  return fmt::format("{}<{} {}", point_in_words(points, edge.from), point_in_words(points, edge.to),
                     name(rule));
}

// Those from number `first` on.
inline std::vector<std::string> edges_in_words(const KnownGraph& known, const Points& points,
                                               std::size_t first = 0) {
  std::vector<std::string> words;
  for (std::size_t i = first; i < known.edges.size(); ++i)
    words.push_back(edge_in_words(points, known.edges[i], known.causes[i].rule));
  return words;
}

}  // namespace assay::test

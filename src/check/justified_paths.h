// Finds paths of justified edges with as few derived edges as possible.
//
// Such a path proves the premise of a rule. Each derived edge on it needs a proof too, so a path with fewer
// of them gives a shorter proof. Cost: a search of the part of the graph between the two ends.
#pragma once

#include <optional>
#include <vector>

#include "dependency/points.h"

namespace assay {

class JustifiedPaths {
 public:
  // The edges before number `justified` form no cycle.
  JustifiedPaths(const KnownGraph& known, std::size_t justified) : known_(known), justified_(justified) {}

  // The numbers of the edges of a path, which must exist. Uses only justified edges before number `limit`.
  std::vector<std::uint32_t> find(std::uint32_t from, std::uint32_t to, std::size_t limit);

 private:
  void prepare();

  const KnownGraph& known_;
  const std::size_t justified_;

  // Computed when they are first needed.
  std::optional<Digraph> backwards_;
  std::vector<std::uint32_t> place_;  // by node: its position in a topological order
  struct Reached {
    std::uint32_t edge, distance, search = 0;
  };
  std::vector<Reached> reached_;  // by node: the last search that reached it, and how
  std::uint32_t search_ = 0;
};

}  // namespace assay

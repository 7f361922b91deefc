// Paths along edges that are justified already, with as few derived edges as possible.
//
// Such a path shows why a rule could be used. Each derived edge on it has to be proved too, so the fewer
// there are the shorter is the proof. Cost: a search of the part of the graph that lies between the ends.
#pragma once

#include <optional>
#include <vector>

#include "dependency/points.h"

namespace assay {

class JustifiedPaths {
 public:
  // Edges before number `justified` form no cycle.
  JustifiedPaths(const KnownGraph& known, std::size_t justified) : known_(known), justified_(justified) {}

  // The numbers of the edges of a path, all of them before `limit` and justified; there is one.
  std::vector<std::uint32_t> find(std::uint32_t from, std::uint32_t to, std::size_t limit);

 private:
  void prepare();

  const KnownGraph& known_;
  const std::size_t justified_;

  // Made when they are first needed.
  std::optional<Digraph> backwards_;
  std::vector<std::uint32_t> place_;  // by node, in an order that agrees with the edges
  struct Reached {
    std::uint32_t edge, distance, search = 0;
  };
  std::vector<Reached> reached_;  // by node: by which search, if by any
  std::uint32_t search_ = 0;
};

}  // namespace assay

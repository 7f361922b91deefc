// The choices about order: which of two writers commits first, and whether a snapshot precedes a commit.
//
// The order of two writers is what PolySI calls a generalized constraint and VeriStrong (Cai et al. 2026) a
// ww-constraint. Each side activates every edge that follows from it. At the levels with a total order, each
// reader of a version of the first writer comes before the second, for all keys that both write. If writers
// of a key exclude each other, the second takes its snapshot after the first has committed. At psi only the
// two commits are ordered.
//
// The other choices activate a single edge. They exist for clauses in which that edge depends on another
// choice: on the writer of a read, or on whether a conditional write took place.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "encoding/choices.h"

namespace assay {

class OrderChoices {
 public:
  OrderChoices(const SearchProblem& problem, Choices& choices)
      : facts_(problem.facts),
        versions_(problem.versions),
        rules_(problem.rules),
        points_(problem.points),
        choices_(choices) {}

  // The choice which of two writers commits first; made on the first call.
  Var order(TxnId a, TxnId b);
  // c(a) < c(b), of two writers.
  Lit commits_before(TxnId a, TxnId b);
  // c(first) < s(second), of two writers that exclude each other.
  Lit is_apart(TxnId first, TxnId second);
  // s(reader) < c(overwriting). `op` is the read, and `number` its number among those of its kind.
  Lit reads_before(TxnId reader, OpId op, std::uint32_t number, TxnId overwriting);
  // Whether the search has decided which of two writers commits first.
  bool is_decided(TxnId a, TxnId b) const {
    const auto found = order_.find(unordered_pair(a, b));
    return found != order_.end() && choices_.is_decided(found->second);
  }

 private:
  static std::uint64_t pair(TxnId a, TxnId b) { return std::uint64_t{a.value} << 32 | b.value; }
  static std::uint64_t unordered_pair(TxnId a, TxnId b) { return pair(std::min(a, b), std::max(a, b)); }
  void add_side(TxnId first, TxnId second, std::vector<Edge>& edges);

  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const PointRules& rules_;
  const Points points_;
  Choices& choices_;
  std::unordered_map<std::uint64_t, Var> order_;         // by unordered pair of writers
  std::unordered_map<std::uint64_t, Var> apart_;         // c(first) < s(second)
  std::unordered_map<std::uint64_t, Var> reads_before_;  // s(first) < c(second)

  std::vector<Edge> if_true_, if_false_;  // of the choice that is being made
  std::vector<EdgeCause> causes_;
};

}  // namespace assay

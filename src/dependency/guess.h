// A cheap first guess: run the transactions one after another and see whether every read comes out.
//
// Greedy: run any transaction whose reads see the current versions and which overwrites no version that
// somebody still has to read; of several, the one that the caller, the clients' clocks, the file or the
// sessions' progress put first. Many real histories are accepted by this alone, in O(operations). Where
// nothing can run, the first blocked transaction is forced through and the run goes on: the order still
// agrees with every known fact, so it is where the search begins. The same happens after many tries that came
// to nothing.
//
// At levels with two points the snapshot is taken as soon as the reads are right and the commit when it may,
// so transactions overlap only where they must.
#pragma once

#include <optional>
#include <span>

#include "dependency/points.h"

namespace assay {

struct Guess {
  std::vector<std::uint32_t> order;  // every node once; those of transactions that do not count come last
  // Keys of which it does not explain a read, or two exclusive writes; where a reader, its writer and the one
  // between them meet in several keys, one of those.
  std::vector<KeyId> broken;
  std::vector<bool> is_broken;  // by key: these, and those that the named ones stand for
  bool explains() const { return broken.empty(); }
};

// Nothing: what is known from the start (known_graph) forms a cycle, or the budget is spent. The order keeps
// real time and what was derived only if `known` is given, which has them. `rank`, by transaction, says which
// comes first of several that can run.
std::optional<Guess> guess_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                                 const KnownGraph* known = nullptr, std::span<const std::uint32_t> rank = {},
                                 Budget& budget = Budget::unlimited());

// The same for a given order, which agrees with what is known. Worthless if the budget is spent.
Guess follow_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                   std::vector<std::uint32_t> order, Budget& budget = Budget::unlimited());

}  // namespace assay

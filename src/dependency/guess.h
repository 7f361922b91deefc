// A cheap first guess of an execution: run the transactions one after another, and see whether every read
// returns its version.
//
// The algorithm is greedy. It runs any transaction whose reads return the current versions and which
// overwrites no version that another transaction still has to read. Of several, it takes the one that is
// first by rank: a rank of the caller, or one estimated from clocks, the file or the sessions' progress
// (ranks.h). Many real histories are explained by this alone, in O(operations). If no transaction can run,
// the first blocked one is forced to run, and the execution goes on. The order still agrees with every known
// edge, so the search can start from it. After many failed tries, transactions are forced as well.
//
// At levels with two points, a transaction takes its snapshot as soon as its reads are right, and commits as
// soon as it may. So transactions overlap only where they must.
#pragma once

#include <optional>
#include <span>

#include "dependency/points.h"

namespace assay {

struct Guess {
  std::vector<std::uint32_t> order;  // every node once; nodes of transactions that do not count are last
  // Keys with a read, or with two exclusive writes, that the order does not explain. If the same reader,
  // writer and transaction in between meet in several keys, only one of these is listed.
  std::vector<KeyId> broken;
  std::vector<bool> is_broken;  // by key: the listed keys, and those omitted for a listed one
  bool explains() const { return broken.empty(); }
};

// Returns nothing if the edges known from the start (known_graph) form a cycle, or if the budget is spent.
// The order respects real time and derived edges only if `known`, which holds them, is given. `rank`, by
// transaction, decides which of several runnable transactions runs first.
std::optional<Guess> guess_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                                 const KnownGraph* known = nullptr, std::span<const std::uint32_t> rank = {},
                                 Budget& budget = Budget::unlimited());

// Evaluates a given order, which must agree with the known edges. The result means nothing if the budget is
// spent.
Guess follow_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                   std::vector<std::uint32_t> order, Budget& budget = Budget::unlimited());

}  // namespace assay

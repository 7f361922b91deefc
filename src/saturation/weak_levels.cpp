#include "saturation/weak_levels.h"

#include <algorithm>

#include "dependency/ranks.h"
#include "saturation/weak_proof.h"
#include "saturation/weak_views.h"

namespace assay {
namespace {

// Names a cycle of edges that the history gives. With list orders and without reads, it is G0: writers
// overwrite each other in turn.
Anomaly name_of_facts(std::span<const std::uint32_t> cycle, const CommitOrder& order) {
  const auto is = [&](Rule rule) {
    return [&order, rule](std::uint32_t edge) { return order.causes[edge].rule == rule; };
  };
  const bool is_g0 =
      std::ranges::any_of(cycle, is(Rule::Observed)) && std::ranges::none_of(cycle, is(Rule::Reads));
  return is_g0 ? Anomaly::G0 : Anomaly::G1c;
}

// An execution that agrees with these acyclic edges, and otherwise follows the clocks. That explains most of
// what the graph does not contain (check/statement_views.h).
Holds execution(const History& history, const ReadFacts& facts, const std::vector<Edge>& edges) {
  const std::vector<std::uint32_t> rank = ranks(history);
  std::vector<std::uint32_t> by_rank(rank.size());
  for (std::uint32_t t = 0; t < rank.size(); ++t) by_rank[rank[t]] = t;
  Holds holds;
  const auto in_order = topological_order(Digraph(history.transaction_count(), edges), by_rank);
  for (const std::uint32_t t : *in_order)
    if (facts.counts[t]) holds.order.push_back({TxnId(t)});
  return holds;
}

}  // namespace

Verdict judge_weak_level(const History& history, const ReadFacts& facts, Level level, ProofBuilder builder,
                         Budget& budget) {
  ASSAY_REQUIRE(is_weak(level));
  const View view = row(level).view;
  CommitOrder order(history, facts, row(level).session_order());
  WeakProof proof(history, facts, view, order, std::move(builder));
  const auto find_any_cycle = [&] { return find_cycle(Digraph(history.transaction_count(), order.edges)); };
  if (const auto cycle = find_any_cycle(); !cycle.empty())
    return proof.of_cycle(cycle, name_of_facts(cycle, order));
  WeakViews(history, facts, level, order, budget).overrule();
  if (budget.is_spent())
    return Undecided{budget.why() + "; no cycle had been found among reads and sessions"};
  if (order.stale)
    return proof.of_stale_read(view == View::Past ? Anomaly::StaleInitialRead : name_of_condition(level));
  if (const auto cycle = find_any_cycle(); !cycle.empty())
    return proof.of_cycle(cycle, name_of_condition(level));
  return execution(history, facts, order.edges);
}

}  // namespace assay

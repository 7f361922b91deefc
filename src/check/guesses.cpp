#include "check/guesses.h"

#include "base/contract.h"
#include "check/known_order.h"
#include "check/other_level.h"
#include "dependency/ranks.h"

namespace assay {
namespace {

// With one broken key for this many operations, guessing again costs about as much as the search.
constexpr std::size_t kOperationsPerBrokenKey = 10'000;

}  // namespace

Guesses::Guesses(const Judging& judging) : j_(judging) {
  if (!judging.options.start.empty()) set_start(judging.options.start);
}

void Guesses::set_start(Order start) {
  start_ = std::move(start);
  rank_.assign(j_.history.transaction_count(), UINT32_MAX);
  std::uint32_t next = 0;
  for (const Point& p : start_)
    if (p.commit) rank_[p.txn.index()] = next++;
  for (std::uint32_t& rank : rank_)
    if (rank == UINT32_MAX) rank = next++;
}

std::optional<Guess> Guesses::greedy(const PointRules& rules, const KnownGraph* known) const {
  return guess_order(j_.history, *j_.facts.repeatable(), rules, known, rank_, j_.budget);
}

std::optional<Guess> Guesses::serial(bool session_order) const {
  auto guess = greedy(PointRules{});
  return guess || session_order ? std::move(guess) : greedy(PointRules{.session_order = false});
}

std::optional<Guess> Guesses::overlapping(const PointRules& rules, std::optional<Guess> serial) const {
  if (rules.two_points) {
    PointRules with_sessions = rules;
    with_sessions.session_order = true;
    serial = greedy(with_sessions);
  }
  return serial ? std::move(serial) : greedy(rules);
}

Guess Guesses::likely(const PointRules& rules, const KnownGraph& known) const {
  const Points points(j_.history.transaction_count(), rules.two_points);
  const std::vector<std::uint32_t> rank = rank_.empty() ? ranks(j_.history) : rank_;
  std::vector<std::uint32_t> nodes(points.node_count());
  for (const TxnId t : j_.history.transactions()) {
    const std::uint32_t place = points.two() ? 2 * rank[t.index()] : rank[t.index()];
    nodes[place] = points.snapshot(t);
    if (points.two()) nodes[place + 1] = points.commit(t);
  }
  for (auto time = static_cast<std::uint32_t>(nodes.size()); time < known.nodes; ++time)
    nodes.push_back(time);
  return follow_order(j_.history, *j_.facts.repeatable(), rules, order_near(known, nodes), j_.budget);
}

Guess Guesses::better_with_start(Guess guess, const PointRules& rules, const KnownGraph& known) const {
  if (start_.empty()) return guess;
  const Points points(j_.history.transaction_count(), rules.two_points);
  std::vector<std::uint32_t> nodes;
  std::vector<bool> has_place(known.nodes);
  for (const Point& p : with_points(start_, rules.two_points)) {
    nodes.push_back(p.commit ? points.commit(p.txn) : points.snapshot(p.txn));
    has_place[nodes.back()] = true;
  }
  for (std::uint32_t node = 0; node < known.nodes; ++node)
    if (!has_place[node]) nodes.push_back(node);
  auto order = topological_order(Digraph(known.nodes, known.edges), nodes);
  ASSAY_ASSERT(order.has_value());  // the guess exists, so the known edges form no cycle
  Guess start = follow_order(j_.history, *j_.facts.repeatable(), rules, std::move(*order), j_.budget);
  return start.broken.size() < guess.broken.size() ? std::move(start) : std::move(guess);
}

bool Guesses::is_nearly_right(const Guess& guess) const {
  return guess.broken.size() * kOperationsPerBrokenKey < j_.history.operation_count();
}

}  // namespace assay

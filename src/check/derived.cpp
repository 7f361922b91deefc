#include "check/derived.h"

#include <algorithm>
#include <map>

#include "base/contract.h"

namespace assay {

using Kind = EdgeCause::Kind;

DerivedFacts::DerivedFacts(const History& history, const ReadFacts& facts, const PointRules& rules, const KnownGraph& known,
                           std::size_t justified)
    : h_(history), facts_(facts), rules_(rules), known_(known), points_(history.transaction_count(), rules.two_points),
      justified_(justified) {}

std::vector<Step> DerivedFacts::steps(std::span<const std::uint32_t> path) const {
  std::vector<Step> result;
  for (const std::uint32_t edge : path) result.push_back({known_.edges[edge], known_.causes[edge], edge});
  return join_steps(std::move(result), points_);
}

void DerivedFacts::state(std::span<const Step> wanted, ProofBuilder& proof) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> grounds_of;  // by increasing number
  std::vector<std::uint32_t> open;
  const auto need = [&](std::span<const Step> needed) {
    for (const Step& step : needed)
      if (!is_derived(step.number)) fact_line(proof, points_, step);
      else if (!lines_.contains(step.number) && grounds_of.try_emplace(step.number).second) open.push_back(step.number);
  };
  need(wanted);
  while (!open.empty()) {
    const std::uint32_t edge = open.back();
    open.pop_back();
    const auto& found = grounds_of[edge] = grounds(edge);
    need(steps(found));
  }
  for (const auto& [edge, found] : grounds_of) lines_[edge] = prove(edge, found, proof);
}

LineId DerivedFacts::line(const Step& step, ProofBuilder& proof) const {
  return is_derived(step.number) ? lines_.at(step.number) : fact_line(proof, points_, step);
}

std::vector<LineId> DerivedFacts::lines(std::span<const std::uint32_t> path, ProofBuilder& proof) {
  const auto wanted = steps(path);
  state(wanted, proof);
  std::vector<LineId> result;
  for (const Step& step : wanted) result.push_back(line(step, proof));
  return result;
}

// The path that the rule asks for; empty when it asks for none.
std::vector<std::uint32_t> DerivedFacts::grounds(std::uint32_t number) {
  const Edge edge = known_.edges[number];
  const EdgeCause cause = known_.causes[number];
  const std::size_t limit = std::min<std::size_t>(number, justified_);
  if (cause.kind == Kind::Exclusive)
    return path(points_.snapshot(points_.txn(edge.from)), points_.commit(points_.txn(edge.to)), limit);
  const ReadFact& by = read(cause.op);
  if (cause.kind == Kind::Missed) return path(edge.from, points_.snapshot(by.reader), limit);
  if (by.writer.is_none()) return {};
  return path(rules_.exclusive ? points_.snapshot(by.writer) : points_.commit(by.writer), edge.to, limit);
}

LineId DerivedFacts::prove(std::uint32_t number, std::span<const std::uint32_t> grounds, ProofBuilder& proof) const {
  const Edge edge = known_.edges[number];
  const EdgeCause cause = known_.causes[number];
  const TxnId from = points_.txn(edge.from), to = points_.txn(edge.to);
  LineId because = 0;
  if (!grounds.empty()) {
    std::vector<LineId> lines;
    for (const Step& step : steps(grounds)) lines.push_back(line(step, proof));
    because = proof.path(std::move(lines));
  }
  if (cause.kind == Kind::Exclusive) return proof.exclusive(common_write(from, to), to, because);
  const ReadFact& by = read(cause.op);
  if (cause.kind == Kind::Missed) {
    const LineId missed = proof.missed(cause.op, from, because);
    return rules_.exclusive ? proof.exclusive(common_write(from, to), to, missed) : missed;
  }
  if (!rules_.total) return prove_without_order(edge, by, because, proof);
  if (by.writer.is_none()) return proof.overwritten_initial(cause.op, to);
  // What begins in the writer's snapshot and goes past its commit needs no more.
  if (rules_.exclusive && known_.causes[grounds.front()].kind != Kind::Own)
    because = proof.exclusive(common_write(by.writer, to), to, because);
  return proof.overwritten(cause.op, to, because);
}

// psi orders the two writers: were the second first, the reader would have missed it.
LineId DerivedFacts::prove_without_order(Edge edge, const ReadFact& read, LineId overwritten, ProofBuilder& proof) const {
  const TxnId reader = points_.txn(edge.from), writer = points_.txn(edge.to);
  const LineId reversed = proof.suppose(writer, reader);
  if (read.writer.is_none()) return proof.stale(read.op, writer, reversed);
  return proof.refute({proof.missed(read.op, writer, reversed), overwritten});
}

OpId DerivedFacts::common_write(TxnId a, TxnId b) const {
  for (const OpId op : h_.operations(a))
    if (is_item_write(h_.kind(op)) && facts_.writes_key(b, h_.key(op))) return op;
  ASSAY_ASSERT(false);
  return OpId::none();
}

void DerivedFacts::prepare() {
  std::vector<Edge> edges(known_.edges.begin(), known_.edges.begin() + static_cast<std::ptrdiff_t>(justified_));
  const auto order = topological_order(Digraph(known_.nodes, edges));
  ASSAY_ASSERT(order.has_value());
  place_.resize(order->size());
  for (std::uint32_t i = 0; i < order->size(); ++i) place_[(*order)[i]] = i;
  for (Edge& edge : edges) std::swap(edge.from, edge.to);
  backwards_.emplace(known_.nodes, edges);
  reached_.resize(known_.nodes);
}

std::vector<std::uint32_t> DerivedFacts::path(std::uint32_t from, std::uint32_t to) { return path(from, to, justified_); }

// Breadth first over given edges, then over one derived edge, and so on.
std::vector<std::uint32_t> DerivedFacts::path(std::uint32_t from, std::uint32_t to, std::size_t limit) {
  if (!backwards_) prepare();
  ++search_;
  reached_[to] = {0, 0, search_};
  std::vector<std::uint32_t> now{to}, later;
  for (std::uint32_t distance = 0; !now.empty(); ++distance) {
    for (std::size_t i = 0; i < now.size() && now[i] != from; ++i) {
      const std::uint32_t node = now[i];
      if (reached_[node].distance != distance) continue;
      const auto before = backwards_->successors(node);
      for (std::size_t j = 0; j < before.size(); ++j) {
        const std::uint32_t edge = backwards_->edge(node, j);
        if (edge >= limit || place_[before[j]] < place_[from]) continue;
        const std::uint32_t there = distance + (is_derived(edge) ? 1 : 0);
        Reached& step = reached_[before[j]];
        if (step.search == search_ && step.distance <= there) continue;
        step = {edge, there, search_};
        (there == distance ? now : later).push_back(before[j]);
      }
    }
    if (reached_[from].search == search_ && reached_[from].distance == distance) break;
    now.swap(later);
    later.clear();
  }
  ASSAY_ASSERT(reached_[from].search == search_);
  std::vector<std::uint32_t> result;
  for (std::uint32_t node = from; node != to; node = known_.edges[result.back()].to) result.push_back(reached_[node].edge);
  return result;
}

}  // namespace assay

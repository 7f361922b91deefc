#include "check/derived.h"

#include <algorithm>
#include <map>

#include "base/contract.h"

namespace assay {

DerivedFacts::DerivedFacts(const History& history, const ReadFacts& facts, const PointRules& rules,
                           const KnownGraph& known, std::size_t justified)
    : h_(history),
      facts_(facts),
      rules_(rules),
      known_(known),
      points_(history.transaction_count(), rules.two_points),
      justified_(justified),
      paths_(known, justified) {}

std::vector<Step> DerivedFacts::steps(std::span<const std::uint32_t> path) const {
  std::vector<Step> result;
  for (const std::uint32_t edge : path) result.push_back({known_.edges[edge], known_.causes[edge], edge});
  return join(std::move(result));
}

void DerivedFacts::state(std::span<const Step> wanted, ProofBuilder& proof) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> grounds_of;  // by increasing number
  std::vector<std::uint32_t> open;
  const auto need = [&](std::span<const Step> needed) {
    for (const Step& step : needed)
      if (!is_derived(step.number)) fact_line(proof, points_, step);
      else if (!lines_.contains(step.number) && grounds_of.try_emplace(step.number).second)
        open.push_back(step.number);
  };
  need(wanted);
  while (!open.empty()) {
    const std::uint32_t edge = open.back();
    open.pop_back();
    const auto& found = grounds_of[edge] = grounds(edge);
    need(steps(found));
    if (known_.causes[edge].rule == Rule::Exclusive) continue;
    const Source by = source(known_.causes[edge].op);
    if (by.open == nullptr) continue;
    for (std::uint32_t candidate = by.open->first; candidate < by.open->last; ++candidate) {
      if (candidate == known_.settled[facts_.place(*by.open)] || excluded_.contains(candidate)) continue;
      const Shown paths = shown(*by.open, candidate);
      for (const auto* path : {&paths.to_between, &paths.to_reader, &paths.to_writer}) need(steps(*path));
    }
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

// The path that is the rule's premise; empty if the rule needs none.
std::vector<std::uint32_t> DerivedFacts::grounds(std::uint32_t number) {
  const Edge edge = known_.edges[number];
  const EdgeCause cause = known_.causes[number];
  const std::size_t limit = std::min<std::size_t>(number, justified_);
  if (cause.rule == Rule::Exclusive)
    return paths_.find(points_.snapshot(points_.txn(edge.from)), points_.commit(points_.txn(edge.to)), limit);
  const Source by = source(cause.op);
  if (cause.rule == Rule::Reads) return {};
  if (cause.rule == Rule::Missed) return paths_.find(edge.from, points_.snapshot(by.reader), limit);
  if (by.writer.is_none()) return {};
  return paths_.find(rules_.exclusive ? points_.snapshot(by.writer) : points_.commit(by.writer), edge.to,
                     limit);
}

LineId DerivedFacts::prove(std::uint32_t number, std::span<const std::uint32_t> grounds,
                           ProofBuilder& proof) {
  const Edge edge = known_.edges[number];
  const EdgeCause cause = known_.causes[number];
  const TxnId from = points_.txn(edge.from), to = points_.txn(edge.to);
  const bool by_read = cause.rule != Rule::Exclusive;
  const Source by = by_read ? source(cause.op) : Source{};
  const LineId is_from = by_read ? line_of_source(by, proof) : 0;
  if (cause.rule == Rule::Reads) return is_from;
  LineId because = 0;
  if (!grounds.empty()) {
    std::vector<LineId> lines;
    for (const Step& step : steps(grounds)) lines.push_back(line(step, proof));
    because = proof.path(std::move(lines));
  }
  if (cause.rule == Rule::Exclusive) return proof.exclusive(common_write(from, to), to, because);
  if (cause.rule == Rule::Missed) {
    const LineId missed = proof.missed(cause.op, from, because, is_from);
    return rules_.exclusive ? proof.exclusive(common_write(from, to), to, missed) : missed;
  }
  if (!rules_.total) return prove_without_order(edge, cause.op, by.writer, because, proof);
  if (by.writer.is_none()) return proof.overwritten(cause.op, to, 0, is_from);
  // The path begins at the writer's snapshot. If it does not pass through the writer's commit, rule
  // `exclusive` orders the two writers.
  if (rules_.exclusive && known_.causes[grounds.front()].rule != Rule::Own)
    because = proof.exclusive(common_write(by.writer, to), to, because);
  return proof.overwritten(cause.op, to, because, is_from);
}

DerivedFacts::Source DerivedFacts::source(OpId op) const {
  const auto read = std::ranges::lower_bound(facts_.reads, op, {}, &ReadFact::op);
  if (read != facts_.reads.end() && read->op == op) return {read->reader, read->writer, nullptr};
  const OpenRead& open = *std::ranges::lower_bound(facts_.open, op, {}, &OpenRead::op);
  return {open.reader, facts_.writer(facts_.candidates[known_.settled[facts_.place(open)]]), &open};
}

// Returns 0 if there is only one candidate. Otherwise excludes the others, and returns the line that states
// the writer.
LineId DerivedFacts::line_of_source(const Source& source, ProofBuilder& proof) {
  if (source.open == nullptr) return 0;
  const Literal is_from = Literal::from(source.open->op, source.writer);
  if (const auto known = proof.established(is_from)) return *known;
  for (std::uint32_t candidate = source.open->first; candidate < source.open->last; ++candidate)
    if (candidate != known_.settled[facts_.place(*source.open)]) exclude(*source.open, candidate, proof);
  proof.use(proof.candidates(source.open->op));
  return proof.established(is_from).value();
}

DerivedFacts::Shown DerivedFacts::shown(const OpenRead& read, std::uint32_t candidate) {
  const Exclusion& why = known_.excluded[candidate];
  const TxnId writer = facts_.writer(facts_.candidates[candidate]);
  const std::size_t limit = std::min(why.edges, justified_);
  const std::uint32_t reader = points_.snapshot(read.reader);
  if (why.between.is_none()) return {.to_writer = paths_.find(reader, points_.commit(writer), limit)};
  Shown paths{.to_reader = paths_.find(points_.commit(why.between), reader, limit)};
  if (!writer.is_none())
    paths.to_between = paths_.find(points_.commit(writer), points_.commit(why.between), limit);
  return paths;
}

LineId DerivedFacts::exclude(const OpenRead& read, std::uint32_t candidate, ProofBuilder& proof) {
  if (const auto stated = excluded_.find(candidate); stated != excluded_.end()) return stated->second;
  const Shown paths = shown(read, candidate);
  for (const auto* path : {&paths.to_between, &paths.to_reader, &paths.to_writer}) state(steps(*path), proof);
  const TxnId writer = facts_.writer(facts_.candidates[candidate]),
              between = known_.excluded[candidate].between;
  const LineId supposed = proof.suppose(Literal::from(read.op, writer));
  const auto close = [&] {
    if (between.is_none()) {
      std::vector<LineId> cycle = lines(paths.to_writer, proof);
      cycle.push_back(supposed);
      return proof.refute(std::move(cycle));
    }
    const LineId seen = proof.path(lines(paths.to_reader, proof));
    if (writer.is_none()) return proof.stale(read.op, between, seen, supposed);
    std::vector<LineId> cycle = lines(paths.to_between, proof);
    cycle.push_back(proof.missed(read.op, between, seen, supposed));
    return proof.refute(std::move(cycle));
  };
  return excluded_[candidate] = close();
}

// The reader writes the key too, so psi orders it and the later writer. If that writer came first, the reader
// would have missed its version.
LineId DerivedFacts::prove_without_order(Edge edge, OpId read, TxnId older, LineId overwritten,
                                         ProofBuilder& proof) const {
  const TxnId reader = points_.txn(edge.from), writer = points_.txn(edge.to);
  const LineId reversed = proof.suppose(writer, reader);
  if (older.is_none()) return proof.stale(read, writer, reversed);
  return proof.refute({proof.missed(read, writer, reversed), overwritten});
}

OpId DerivedFacts::write_of(TxnId t, KeyId key) const {
  for (const OpId op : h_.operations(t))
    if (h_.key(op) == key && (is_item_write(h_.kind(op)) || h_.is_conditional_write(op))) return op;
  ASSAY_ASSERT(false);
  return OpId::none();
}

OpId DerivedFacts::common_write(TxnId a, TxnId b) const {
  for (const OpId op : h_.operations(a))
    if (is_item_write(h_.kind(op)) && facts_.writes_key(b, h_.key(op))) return op;
  ASSAY_ASSERT(false);
  return OpId::none();
}

}  // namespace assay

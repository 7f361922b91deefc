#include "encoding/write_order.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

using Kind = EdgeCause::Kind;

WriteOrder::WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                       const PointRules& rules, const KnownGraph& known, Guess guess)
    : h_(history), facts_(facts), versions_(versions), rules_(rules), known_(known),
      points_(history.transaction_count(), rules.two_points),
      theory_(points_.node_count(), known.edges, std::move(guess.order)), solver_(theory_), dirty_(std::move(guess.broken)),
      is_dirty_(history.key_count()) {
  if (rules.total) return;
  previous_.resize(facts.writes.size());
  step_.resize(points_.node_count());
  visited_.assign(points_.node_count(), 0);
}

Answer WriteOrder::solve(const std::function<bool()>& stop) {
  return solver_.solve([this] { return repair(); }, stop);
}

EdgeCause WriteOrder::cause(std::uint32_t edge) const {
  return edge < known_.edges.size() ? known_.causes[edge] : causes_[edge - known_.edges.size()];
}

// Makes the choices that the order at hand breaks; whether there were any.
bool WriteOrder::repair() {
  added_ = false;
  mark_moved();
  if (!rules_.total)  // what a reader misses may reach it through any key
    for (const KeyId key : h_.keys()) sort_key(key);
  for (const KeyId key : dirty_) check_key(key);
  dirty_.clear();
  make_late_facts();
  probe_new_choices();
  return added_;
}

// Trying a choice moves transactions, so the order has to be looked through again afterwards.
void WriteOrder::probe_new_choices() {
  for (; probed_ < choices_.size(); ++probed_) solver_.probe(probed_);
}

void WriteOrder::mark_moved() {
  const auto moved = theory_.order().take_moved();
  const auto mark = [&](KeyId key) {
    if (is_dirty_[key.index()]) return;
    is_dirty_[key.index()] = true;
    dirty_.push_back(key);
  };
  if (!rules_.total) {
    dirty_.clear();
    for (const KeyId key : h_.keys()) dirty_.push_back(key);
    return;
  }
  for (const std::uint32_t node : moved) {
    const TxnId t = points_.txn(node);
    if (!facts_.counts[t.index()]) continue;
    for (const ReadFact& read : facts_.of(t)) mark(read.key);
    for (const KeyId key : facts_.written_by(t)) mark(key);
  }
  for (const KeyId key : dirty_) is_dirty_[key.index()] = false;
}

// The key's versions in the order at hand.
void WriteOrder::sort_key(KeyId key) {
  const auto versions = versions_.of(key);
  in_order_.assign(versions.begin(), versions.end());
  std::ranges::sort(in_order_, {}, [&](VersionId v) { return theory_.order().position(points_.commit(facts_.writer(v))); });
  if (rules_.total) return;
  VersionId last = facts_.initial_version(key);
  for (const VersionId v : in_order_) {
    previous_[v.index()] = last;
    last = v;
  }
}

void WriteOrder::check_key(KeyId key) {
  sort_key(key);
  VersionId version = facts_.initial_version(key);
  for (const VersionId next : in_order_) {
    check_reads(version, facts_.writer(next));
    if (rules_.exclusive && !facts_.is_initial(version) &&
        !theory_.order().before(points_.commit(facts_.writer(version)), points_.snapshot(facts_.writer(next))))
      make_choice(facts_.writer(version), facts_.writer(next));
    version = next;
  }
}

// `next` overwrote the version in the order at hand: who read it later?
void WriteOrder::check_reads(VersionId version, TxnId next) {
  const auto readers = versions_.readers_of(version);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i] == next || theory_.order().before(points_.snapshot(readers[i]), points_.commit(next))) continue;
    if (!rules_.total) {
      forbid_reaching(version, next, versions_.reads_of(version)[i]);
    } else if (facts_.is_initial(version)) {
      late_facts_.push_back({versions_.reads_of(version)[i], next});
    } else {
      make_choice(facts_.writer(version), next);
      return;
    }
  }
}

// psi: `next` must not reach the reader. If it does, through writers in an order that nobody decided yet, they
// are to be decided; otherwise the choices along the way cannot all be right.
void WriteOrder::forbid_reaching(VersionId version, TxnId next, std::uint32_t read) {
  const DynamicOrder& order = theory_.order();
  const std::uint32_t start = points_.snapshot(facts_.reads[read].reader), goal = points_.commit(next);
  ++visit_;
  queue_.assign(1, start);
  visited_[start] = visit_;
  const auto arrive = [&](std::uint32_t node, std::uint32_t from, std::uint32_t edge) {
    if (visited_[node] == visit_ || order.before(node, goal)) return;
    visited_[node] = visit_;
    step_[node] = {from, edge};
    queue_.push_back(node);
  };
  for (std::size_t i = 0; i < queue_.size() && visited_[goal] != visit_; ++i) {
    const std::uint32_t node = queue_[i];
    order.predecessors(node, [&](std::uint32_t from, std::uint32_t edge) {
      arrive(from, node, edge);
      return true;
    });
    for (const VersionId v : facts_.versions_by(points_.txn(node)))
      if (const VersionId before = previous_[v.index()]; !facts_.is_initial(before)) {
        const TxnId writer = facts_.writer(before);
        if (!is_decided(writer, points_.txn(node))) arrive(points_.commit(writer), node, kNoEdge);
      }
  }
  if (visited_[goal] != visit_) return;

  bool chosen = true;
  std::vector<Lit> clause;
  std::vector<std::uint32_t> reasons;
  for (std::uint32_t node = goal; node != start; node = step_[node].to) {
    const Step step = step_[node];
    if (step.edge == kNoEdge) {
      make_choice(points_.txn(node), points_.txn(step.to));
      chosen = false;
      continue;
    }
    reasons.push_back(step.edge);
    if (step.edge < theory_.fact_count()) continue;
    const Lit refuted = ~theory_.literal(step.edge);
    if (std::ranges::find(clause, refuted) == clause.end()) clause.push_back(refuted);
  }
  if (const TxnId writer = facts_.writer(version); !writer.is_none()) {
    chosen &= is_decided(writer, next);
    const Lit refuted = ~before(writer, next);
    if (std::ranges::find(clause, refuted) == clause.end()) clause.push_back(refuted);
  }
  if (!chosen) return;
  reasons.push_back(read);
  late_lemmas_.push_back({std::move(clause), std::move(reasons)});
}

Lit WriteOrder::before(TxnId a, TxnId b) {
  const Var var = make_choice(a, b);
  return Lit(var, choices_[var].first == a);
}

Var WriteOrder::make_choice(TxnId a, TxnId b) {
  const auto found = choice_of_pair_.find(pair_code(a, b));
  if (found != choice_of_pair_.end()) return found->second;
  const Var var = solver_.new_variable();
  choice_of_pair_.emplace(pair_code(a, b), var);
  choices_.push_back({a, b});
  std::vector<Edge> if_true, if_false;
  add_side(a, b, if_true);
  add_side(b, a, if_false);
  theory_.define(var, if_true, if_false);
  added_ = true;
  return var;
}

// What c(first) < c(second) means.
void WriteOrder::add_side(TxnId first, TxnId second, std::vector<Edge>& edges) {
  const bool apart = rules_.exclusive;
  edges.push_back({points_.commit(first), apart ? points_.snapshot(second) : points_.commit(second)});
  causes_.push_back({apart ? Kind::Exclusive : Kind::WriteOrder});
  if (!rules_.total) return;
  for (const VersionId version : facts_.versions_by(first)) {
    if (!facts_.writes_key(second, facts_.writes[version.index()])) continue;
    for (const std::uint32_t i : versions_.reads_of(version)) {
      const ReadFact& read = facts_.reads[i];
      if (read.reader == second) continue;
      edges.push_back({points_.snapshot(read.reader), points_.commit(second)});
      causes_.push_back({Kind::Overwritten, read.op});
    }
  }
}

// Both take the search back to where nothing is decided, so they wait until the order has been looked through.
void WriteOrder::make_late_facts() {
  for (const auto& [read, overwriting] : late_facts_) {
    const Var var = solver_.new_variable();
    choices_.push_back({});
    const Edge edge{points_.snapshot(facts_.reads[read].reader), points_.commit(overwriting)};
    theory_.define(var, std::span(&edge, 1), {});
    causes_.push_back({Kind::Overwritten, facts_.reads[read].op});
    const Lit holds(var, true);
    solver_.add_clause(std::span(&holds, 1));
    added_ = true;
  }
  late_facts_.clear();
  for (const LateLemma& lemma : late_lemmas_) {
    missed_lemmas_.push_back(solver_.add_lemma(lemma.literals, lemma.reasons));
    added_ = true;
  }
  late_lemmas_.clear();
}

void WriteOrder::make_all_choices() {
  for (const KeyId key : h_.keys()) {
    const auto versions = versions_.of(key);
    for (std::size_t i = 0; i < versions.size(); ++i)
      for (std::size_t j = i + 1; j < versions.size(); ++j)
        make_choice(facts_.writer(versions[i]), facts_.writer(versions[j]));
  }
  probe_new_choices();
}

}  // namespace assay

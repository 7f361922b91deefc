#include "dependency/guess.h"

#include <algorithm>

#include "dependency/current_versions.h"
#include "dependency/ranks.h"
#include "dependency/reads_to_come.h"
#include "dependency/run_queue.h"

namespace assay {
namespace {

// If many transactions may run at once, most of those that are woken only wait again. After this many tries
// per transaction, on average, every transaction that is tried is forced.
constexpr std::size_t kTriesEach = 64;

// The edges that the order must respect besides sessions and reads.
class EdgesToKeep {
 public:
  // Takes the edges of real time and the derived edges.
  EdgesToKeep(const KnownGraph& known, const Points& points)
      : edges_(std::span(known.edges).subspan(known.timed)),
        graph_(known.nodes, edges_),
        points_(points),
        waiting_for_(known.nodes) {
    for (const Edge& edge : edges_) ++waiting_for_[edge.to];
  }

  // Whether all predecessors of the node are in the order.
  bool is_free(std::uint32_t node) const { return waiting_for_[node] == 0; }
  // The nodes of time without predecessors.
  std::vector<std::uint32_t> first_times() const {
    std::vector<std::uint32_t> first;
    for (auto time = static_cast<std::uint32_t>(points_.node_count()); time < waiting_for_.size(); ++time)
      if (is_free(time)) first.push_back(time);
    return first;
  }
  // Handles the nodes that joined the order from index `placed` on. Appends each node of time as soon as its
  // predecessors are in the order. Calls visit(t) for each transaction of which a point has become free.
  template <class Visit>
  void place(std::vector<std::uint32_t>& order, std::size_t placed, Visit visit) {
    for (; placed < order.size(); ++placed)
      for (const std::uint32_t next : graph_.successors(order[placed])) {
        if (--waiting_for_[next] > 0) continue;
        if (!points_.is_point(next)) order.push_back(next);
        else visit(points_.txn(next));
      }
  }

 private:
  std::span<const Edge> edges_;
  Digraph graph_;
  Points points_;
  std::vector<std::uint32_t> waiting_for_;  // by node: predecessors that are not in the order yet
};

// For each version, the one that list reads show before it.
class ShownBefore {
 public:
  explicit ShownBefore(const ReadFacts& facts) : facts_(facts) {
    if (facts.observed.empty()) return;
    order_.resize(facts.writes.size());
    for (const VersionOrder& order : facts.observed) order_[order.after.index()] = &order;
  }

  // A key of which an earlier version than that of t is not written yet; none() if there is no such key.
  template <class IsDone>
  KeyId missing(TxnId t, IsDone is_done) const {
    return find(t, [&](const VersionOrder& order) {
      return !facts_.is_initial(order.before) && !is_done(facts_.writer(order.before));
    });
  }
  // A key of which the version right before that of t still has reads to come; none() if there is no such
  // key.
  KeyId unread(TxnId t, const ReadsToCome& reads) const {
    return find(t, [&](const VersionOrder& order) { return order.adjacent && reads.of(order.before) > 0; });
  }

 private:
  template <class Holds>
  KeyId find(TxnId t, Holds holds) const {
    if (order_.empty()) return KeyId::none();
    for (const VersionId version : facts_.versions_by(t))
      if (const VersionOrder* order = order_[version.index()]; order && holds(*order))
        return facts_.key(version);
    return KeyId::none();
  }

  const ReadFacts& facts_;
  std::vector<const VersionOrder*> order_;  // by version; empty without lists
};

// The execution so far: the current versions, the reads to come, and the state of each transaction. A
// transaction takes its snapshot when its reads return their versions. It commits when it overwrites no
// version that still has reads to come.
class GreedyRun {
 public:
  GreedyRun(const History& history, const ReadFacts& facts, const PointRules& rules, const KnownGraph* known,
            std::span<const std::uint32_t> rank)
      : h_(history),
        facts_(facts),
        rules_(rules),
        points_(history.transaction_count(), rules.two_points),
        current_(history, facts, rules),
        queue_(history, facts, rules, rank.empty() ? ranks(history) : std::vector(rank.begin(), rank.end())),
        state_(history.transaction_count(), State::Waiting),
        to_come_(history, facts, queue_.rank(), known),
        shown_before_(facts) {
    order_.reserve(points_.node_count());
    if (known == nullptr) return;
    edges_.emplace(*known, points_);
    for (const std::uint32_t time : edges_->first_times()) place(time);
  }

  std::optional<Guess> run(Budget& budget) {
    const std::size_t all = std::ranges::count(facts_.counts, true), patience = kTriesEach * all;
    std::size_t left = all, tries = 0;
    queue_.begin();
    budget.begin_stage("guessing an order", all);
    while (left > 0) {
      budget.set_done(all - left);
      if (budget.is_spent()) return std::nullopt;
      const auto turn = queue_.next();
      if (!turn) return std::nullopt;
      if (turn->is_forced) {
        left -= try_run(turn->txn, true);
      } else {
        if (const TxnId later = queue_.after_this(); !later.is_none()) fetch(later);
        left -= try_run(turn->txn, tries++ >= patience);
      }
    }
    add_nodes_that_do_not_count();
    return std::move(current_).take(std::move(order_));
  }

 private:
  enum class State : std::uint8_t { Waiting, Snapshot, Done };

  // Keys and versions are scattered over memory, so they are prefetched while another transaction runs.
  void fetch(TxnId t) const {
    for (const ReadFact& read : facts_.of(t)) {
      current_.fetch(read.key);
      to_come_.fetch(read.version);
    }
    for (const KeyId key : facts_.written_by(t)) current_.fetch(key), queue_.fetch(key);
  }

  void add_nodes_that_do_not_count() {
    for (const TxnId t : h_.transactions()) {
      if (facts_.counts[t.index()]) continue;
      order_.push_back(points_.snapshot(t));
      if (rules_.two_points) order_.push_back(points_.commit(t));
    }
  }

  bool wait_for(KeyId key, TxnId t) {
    queue_.wait_for(key, t);
    return false;
  }

  // Blocks t for a reason that another order would have avoided, so t may be forced later.
  bool block(KeyId key, TxnId t) {
    queue_.block(key, t);
    return false;
  }

  // Returns whether t commits in this call.
  bool try_run(TxnId t, bool force) {
    State& state = state_[t.index()];
    if (state == State::Done) return false;
    if (state == State::Waiting) {
      if (!may_snapshot(t, force)) return false;
      to_come_.remove(t);
      if (!rules_.two_points && !may_commit(t, force)) {
        to_come_.put_back(t);
        return false;
      }
      snapshot(t);
      state = State::Snapshot;
    }
    if (rules_.two_points && !may_commit(t, force)) return false;
    commit(t);
    state = State::Done;
    return true;
  }

  // Whether the current version is a candidate of the read.
  bool sees_candidate(const OpenRead& read) const {
    const auto candidates = facts_.candidates_of(read);
    return std::ranges::find(candidates, current_.of(read.key)) != candidates.end();
  }

  // Whether a candidate of the read is still to be written.
  bool may_get_better(const OpenRead& read) const {
    return std::ranges::any_of(facts_.candidates_of(read), [&](VersionId v) {
      return !facts_.is_initial(v) && facts_.counts[facts_.writer(v).index()] && !is_done(facts_.writer(v));
    });
  }

  bool is_done(TxnId t) const { return state_[t.index()] == State::Done; }
  KeyId missing(TxnId t) const {
    return shown_before_.missing(t, [&](TxnId writer) { return is_done(writer); });
  }
  bool is_free(std::uint32_t node) const { return !edges_ || edges_->is_free(node); }

  void place(std::uint32_t node) {
    order_.push_back(node);
    if (!edges_) return;
    edges_->place(order_, order_.size() - 1, [&](TxnId t) { queue_.retry(t); });
  }

  bool may_snapshot(TxnId t, bool force) {
    if (!is_free(points_.snapshot(t))) return false;
    for (const ReadFact& read : facts_.of(t)) {
      if (current_.of(read.key) == read.version || read.writer.is_none()) continue;
      if (is_done(read.writer)) continue;  // overwritten already: waiting does not help
      return wait_for(read.key, t);
    }
    for (const OpenRead& read : current_.open_of(t))
      if (!force && !sees_candidate(read) && may_get_better(read)) return block(read.key, t);
    if (!rules_.exclusive) return true;
    if (const KeyId key = missing(t); !key.is_none()) return wait_for(key, t);
    for (const KeyId key : facts_.written_by(t))
      if (!current_.locked_by(key).is_none() && !force) return block(key, t);
    return true;
  }

  bool may_commit(TxnId t, bool force) {
    if (!is_free(points_.commit(t))) return false;
    if (const KeyId key = missing(t); !key.is_none()) return wait_for(key, t);
    if (rules_.total)
      if (const KeyId key = shown_before_.unread(t, to_come_); !key.is_none()) return wait_for(key, t);
    for (const KeyId key : facts_.written_by(t))
      if (to_come_.of(current_.of(key)) > 0 && !force) return block(key, t);
    if (force) return true;
    for (const ConditionalWrite& write : current_.conditional_by(t))
      if (current_.takes_place(write) && to_come_.of(current_.of(write.key)) > 0) return block(write.key, t);
    return true;
  }

  void snapshot(TxnId t) {
    current_.snapshot(t);
    for (const ReadFact& read : facts_.of(t))
      if (to_come_.of(read.version) <= 1)
        queue_.wake(read.key);  // the last read to come may be the overwriting transaction's own
    for (const OpenRead& read : current_.open_of(t)) queue_.wake(read.key);
    if (rules_.two_points) place(points_.snapshot(t));
  }

  void commit(TxnId t) {
    place(points_.commit(t));
    current_.commit(t);
    for (const KeyId key : facts_.written_by(t)) queue_.wake(key);
    for (const ConditionalWrite& write : current_.conditional_by(t)) queue_.wake(write.key);
    queue_.finish(t);
  }

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  Points points_;
  CurrentVersions current_;
  RunQueue queue_;
  std::vector<State> state_;  // by transaction
  ReadsToCome to_come_;
  ShownBefore shown_before_;
  std::optional<EdgesToKeep> edges_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

std::optional<Guess> guess_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                                 const KnownGraph* known, std::span<const std::uint32_t> rank,
                                 Budget& budget) {
  return GreedyRun(history, facts, rules, known, rank).run(budget);
}

Guess follow_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                   std::vector<std::uint32_t> order, Budget& budget) {
  const Points points(history.transaction_count(), rules.two_points);
  CurrentVersions current(history, facts, rules);
  for (const std::uint32_t node : order) {
    if (budget.is_spent()) break;
    const TxnId t = points.is_point(node) ? points.txn(node) : TxnId::none();
    if (t.is_none() || !facts.counts[t.index()]) continue;
    if (node == points.snapshot(t)) current.snapshot(t);
    if (points.is_commit(node)) current.commit(t);
  }
  return std::move(current).take(std::move(order));
}

}  // namespace assay

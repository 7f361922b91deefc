#include "dependency/guess.h"

#include <algorithm>
#include <numeric>
#include <queue>

namespace assay {

std::vector<std::uint32_t> ranks(const History& h) {
  const std::size_t n = h.transaction_count();
  std::vector<std::uint32_t> by_rank(n), rank(n);
  std::iota(by_rank.begin(), by_rank.end(), 0);
  std::size_t same_session = 0;
  for (std::size_t i = 1; i < n; ++i) same_session += h.session(TxnId(i)) == h.session(TxnId(i - 1));
  if (h.has_instants()) {
    std::vector<std::int64_t> time(n, INT64_MAX);
    for (const TxnId t : h.transactions()) {
      const Instants at = h.instants(t);
      const bool ended = at.end && h.outcome(t) == Outcome::Committed;
      if (ended || at.begin) time[t.index()] = ended ? *at.end : *at.begin;
    }
    std::ranges::stable_sort(by_rank, {}, [&](std::uint32_t t) { return time[t]; });
  } else if (same_session * 2 > n) {  // the file lists session after session
    std::vector<double> progress(n);
    for (const TxnId t : h.transactions())
      progress[t.index()] = (h.position(t) + 0.5) / static_cast<double>(h.transactions(h.session(t)).size());
    std::ranges::stable_sort(by_rank, {}, [&](std::uint32_t t) { return progress[t]; });
  }
  for (std::uint32_t i = 0; i < n; ++i) rank[by_rank[i]] = i;
  return rank;
}

VersionId likely_version(const ReadFacts& facts, const OpenRead& read, std::span<const std::uint32_t> rank,
                         const KnownGraph* known) {
  VersionId best;
  const auto time = [&](VersionId v) {
    return facts.is_initial(v) ? -1 : std::int64_t{rank[facts.writer(v).index()]};
  };
  const std::int64_t now = rank[read.reader.index()];
  for (std::uint32_t candidate = read.first; candidate < read.last; ++candidate) {
    const VersionId v = facts.candidates[candidate];
    if (known != nullptr && known->is_excluded(candidate)) continue;
    if (!facts.is_initial(v) && (facts.is_conditional(v) || !facts.counts[facts.writer(v).index()])) continue;
    if (best.is_none()) best = v;
    else if (time(v) < now ? time(v) > time(best) || time(best) > now
                           : time(v) < time(best) && time(best) > now)
      best = v;
  }
  return best;
}

namespace {

// Where many transactions may run at once, most of those that are woken only wait again. After so many tries
// for each, on average, whoever can run in any way does.
constexpr std::size_t kTriesEach = 64;

class Run {
 public:
  Run(const History& history, const ReadFacts& facts, const PointRules& rules, Budget& budget)
      : h_(history),
        facts_(facts),
        rules_(rules),
        budget_(budget),
        points_(history.transaction_count(), rules.two_points),
        keys_(history.key_count()),
        takes_place_(facts.conditional.size()),
        is_named_(history.key_count()) {
    guess_.is_broken.resize(history.key_count());
    for (const KeyId key : history.keys()) keys_[key.index()].current = facts.initial_version(key);
  }

  std::optional<Guess> run(const KnownGraph* known, std::span<const std::uint32_t> rank) {
    prepare(known, rank);
    std::size_t left = std::ranges::count(facts_.counts, true), tries = 0;
    const std::size_t patience = kTriesEach * left;
    if (rules_.session_order) {
      for (const SessionId s : h_.sessions()) release_from(s, 0);
    } else {
      for (const TxnId t : h_.transactions())
        if (facts_.counts[t.index()]) release(t);
    }
    const std::size_t all = left;
    budget_.begin_stage("guessing an order", all);
    while (left > 0) {
      budget_.set_done(all - left);
      if (budget_.is_spent()) return std::nullopt;
      if (!ready_.empty()) {
        const TxnId t = by_rank_[ready_.top()];
        ready_.pop();
        if (!ready_.empty()) fetch(by_rank_[ready_.top()]);
        left -= try_run(t, tries++ >= patience);
      } else if (!blocked_.empty()) {
        const TxnId t = by_rank_[blocked_.top()];
        blocked_.pop();
        if (state_[t.index()] != State::Done) left -= try_run(t, true);
      } else {
        return std::nullopt;
      }
    }
    add_nodes_that_do_not_count();
    return std::move(guess_);
  }

  Guess follow(std::vector<std::uint32_t> order) {
    for (const std::uint32_t node : order) {
      if (budget_.is_spent()) break;
      const TxnId t = points_.is_point(node) ? points_.txn(node) : TxnId::none();
      if (t.is_none() || !facts_.counts[t.index()]) continue;
      if (node == points_.snapshot(t)) see(t);
      if (points_.is_commit(node)) write(t);
    }
    guess_.order = std::move(order);
    return std::move(guess_);
  }

 private:
  enum class State : std::uint8_t { Unborn, Waiting, Snapshot, Done };
  using Queue = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

  void prepare(const KnownGraph* known, std::span<const std::uint32_t> rank) {
    rank_ = rank.empty() ? ranks(h_) : std::vector(rank.begin(), rank.end());
    by_rank_.resize(rank_.size());
    for (std::uint32_t t = 0; t < rank_.size(); ++t) by_rank_[rank_[t]] = TxnId(t);
    state_.assign(rank_.size(), State::Unborn);
    pending_.resize(facts_.writes.size() + h_.key_count() + facts_.conditional.size());
    for (const ReadFact& read : facts_.reads) ++pending_[read.version.index()];
    if (!facts_.open.empty()) expect_versions(known);
    if (!facts_.observed.empty()) shown_before_.resize(facts_.writes.size());
    for (const VersionOrder& order : facts_.observed) shown_before_[order.after.index()] = &order;
    guess_.order.reserve(points_.node_count());
    if (known == nullptr) return;
    const auto also = std::span(known->edges).subspan(known->timed);
    also_.emplace(known->nodes, also);
    open_.resize(known->nodes);
    for (const Edge& edge : also) ++open_[edge.to];
    std::vector<std::uint32_t> first;  // times that nothing precedes
    for (auto time = static_cast<std::uint32_t>(points_.node_count()); time < known->nodes; ++time)
      if (open_[time] == 0) first.push_back(time);
    for (const std::uint32_t time : first) place(time);
  }

  // Keys and versions lie all over memory: they are fetched while another transaction runs.
  void fetch(TxnId t) const {
    for (const ReadFact& read : facts_.of(t)) {
      __builtin_prefetch(&keys_[read.key.index()]);
      __builtin_prefetch(&pending_[read.version.index()]);
    }
    for (const KeyId key : facts_.written_by(t)) __builtin_prefetch(&keys_[key.index()]);
  }

  void add_nodes_that_do_not_count() {
    for (const TxnId t : h_.transactions()) {
      if (facts_.counts[t.index()]) continue;
      guess_.order.push_back(points_.snapshot(t));
      if (rules_.two_points) guess_.order.push_back(points_.commit(t));
    }
  }

  void release(TxnId t) {
    state_[t.index()] = State::Waiting;
    ready_.push(rank_[t.index()]);
  }

  // The next transactions of a session that may begin: up to and including the next of known outcome.
  void release_from(SessionId s, std::size_t position) {
    const auto session = h_.transactions(s);
    for (; position < session.size(); ++position) {
      const TxnId t = session[position];
      if (!facts_.counts[t.index()]) continue;
      release(t);
      if (h_.outcome(t) == Outcome::Committed) return;
    }
  }

  bool wait_for(KeyId key, TxnId t) {
    std::uint32_t place = free_waiter_;
    if (place == kNobody) {
      place = static_cast<std::uint32_t>(waiters_.size());
      waiters_.push_back({});
    } else {
      free_waiter_ = waiters_[place].next;
    }
    waiters_[place] = {t, std::exchange(keys_[key.index()].first_waiter, place)};
    return false;
  }

  // Blocked by something that the run could have arranged otherwise.
  bool block(KeyId key, TxnId t) {
    wait_for(key, t);
    blocked_.push(rank_[t.index()]);
    return false;
  }

  void wake(KeyId key) {
    for (std::uint32_t i = std::exchange(keys_[key.index()].first_waiter, kNobody); i != kNobody;) {
      ready_.push(rank_[waiters_[i].txn.index()]);
      const std::uint32_t next = waiters_[i].next;
      waiters_[i].next = std::exchange(free_waiter_, i);
      i = next;
    }
  }

  // Whether t has committed by now.
  bool try_run(TxnId t, bool force) {
    State& state = state_[t.index()];
    if (state == State::Done) return false;
    if (state == State::Waiting) {
      if (!may_snapshot(t, force)) return false;
      if (!rules_.two_points) {
        count_reads(t, -1);
        if (!may_commit(t, force)) {
          count_reads(t, +1);
          return false;
        }
      } else {
        count_reads(t, -1);
      }
      snapshot(t);
      state = State::Snapshot;
    }
    if (rules_.two_points && !may_commit(t, force)) return false;
    commit(t);
    state = State::Done;
    return true;
  }

  void expect_versions(const KnownGraph* known) {
    expected_.resize(facts_.open.size());
    for (const OpenRead& read : facts_.open) {
      const VersionId best = likely_version(facts_, read, rank_, known);
      expected_[facts_.place(read)] = best;
      if (!best.is_none() && facts_.counts[read.reader.index()]) ++pending_[best.index()];
    }
  }

  bool is_candidate(VersionId version, const OpenRead& read) const {
    return std::ranges::find(facts_.candidates_of(read), version) != facts_.candidates_of(read).end();
  }

  // Whether a version that the read can have seen is still to come.
  bool may_get_better(const OpenRead& read) const {
    return std::ranges::any_of(facts_.candidates_of(read), [&](VersionId v) {
      return !facts_.is_initial(v) && facts_.counts[facts_.writer(v).index()] &&
             state_[facts_.writer(v).index()] != State::Done;
    });
  }

  // Whether all that comes before the node by the caller's edges has its place.
  bool is_open(std::uint32_t node) const { return !also_ || open_[node] == 0; }

  // A time comes as soon as it may.
  void place(std::uint32_t node) {
    std::size_t placed = guess_.order.size();
    guess_.order.push_back(node);
    if (!also_) return;
    for (; placed < guess_.order.size(); ++placed)
      for (const std::uint32_t next : also_->successors(guess_.order[placed])) {
        if (--open_[next] > 0) continue;
        if (!points_.is_point(next)) guess_.order.push_back(next);
        else if (const TxnId t = points_.txn(next); state_[t.index()] != State::Unborn)
          ready_.push(rank_[t.index()]);
      }
  }

  bool may_snapshot(TxnId t, bool force) {
    if (!is_open(points_.snapshot(t))) return false;
    for (const ReadFact& read : facts_.of(t)) {
      if (keys_[read.key.index()].current == read.version || read.writer.is_none()) continue;
      if (state_[read.writer.index()] == State::Done) continue;  // overwritten by now: it will not get better
      return wait_for(read.key, t);
    }
    for (const OpenRead& read : open_of(t))
      if (!force && !is_candidate(keys_[read.key.index()].current, read) && may_get_better(read))
        return block(read.key, t);
    if (rules_.exclusive && !follows_shown_versions(t)) return false;
    if (rules_.exclusive)
      for (const KeyId key : facts_.written_by(t)) {
        const TxnId other = keys_[key.index()].locked_by;
        if (!other.is_none() && !force) return block(key, t);
      }
    return true;
  }

  // Lists: whether the writers of the versions that are shown before those of t have committed.
  bool follows_shown_versions(TxnId t) {
    if (shown_before_.empty()) return true;
    for (const VersionId version : facts_.versions_by(t))
      if (const VersionOrder* order = shown_before_[version.index()];
          order && !facts_.is_initial(order->before))
        if (state_[facts_.writer(order->before).index()] != State::Done)
          return wait_for(facts_.key(version), t);
    return true;
  }

  // And whether all have read them.
  bool follows_their_readers(TxnId t) {
    if (shown_before_.empty() || !rules_.total) return true;
    for (const VersionId version : facts_.versions_by(t))
      if (const VersionOrder* order = shown_before_[version.index()]; order && order->adjacent)
        if (pending_[order->before.index()] > 0) return wait_for(facts_.key(version), t);
    return true;
  }

  bool may_commit(TxnId t, bool force) {
    if (!is_open(points_.commit(t))) return false;
    if (!follows_shown_versions(t) || !follows_their_readers(t)) return false;
    for (const KeyId key : facts_.written_by(t))
      if (pending_[keys_[key.index()].current.index()] > 0 && !force) return block(key, t);
    if (!force)
      for (const ConditionalWrite& write : conditional_by(t)) {
        const VersionId current = keys_[write.key.index()].current;
        const bool takes_place =
            rules_.two_points ? takes_place_[facts_.place(write)] : facts_.takes_place(h_, write, current);
        if (takes_place && pending_[current.index()] > 0) return block(write.key, t);
      }
    return true;
  }

  std::span<const OpenRead> open_of(TxnId t) const {
    return facts_.open.empty() ? std::span<const OpenRead>() : facts_.open_of(t);
  }

  void count_reads(TxnId t, int by) {
    for (const ReadFact& read : facts_.of(t))
      pending_[read.version.index()] += static_cast<std::uint32_t>(by);
    for (const OpenRead& read : open_of(t))
      if (const VersionId version = expected_[facts_.place(read)]; !version.is_none())
        pending_[version.index()] += static_cast<std::uint32_t>(by);
  }

  void add_broken(KeyId key) {
    if (is_named_[key.index()]) return;
    is_named_[key.index()] = true;
    guess_.is_broken[key.index()] = true;
    guess_.broken.push_back(key);
  }

  // Of reads for which the same transaction stands between the same two one is named: an order in which it
  // does not is right for all of them, or breaks them otherwise.
  void add_broken_reads() {
    std::ranges::sort(broken_reads_);
    const BrokenRead* last = nullptr;
    for (const BrokenRead& read : broken_reads_) {
      guess_.is_broken[read.key.index()] = true;
      if (last == nullptr || last->shown != read.shown || last->writer != read.writer) add_broken(read.key);
      last = &read;
    }
    broken_reads_.clear();
  }

  // t's reads, on the versions at hand.
  void see(TxnId t) {
    for (const ReadFact& read : facts_.of(t))
      if (const VersionId shown = keys_[read.key.index()].current; facts_.is_conditional(shown))
        add_broken(read.key);
      else if (shown != read.version)
        broken_reads_.push_back({facts_.writer(shown), read.writer, !is_named_[read.key.index()], read.key});
    if (!broken_reads_.empty()) add_broken_reads();
    for (const OpenRead& read : open_of(t))
      if (!is_candidate(keys_[read.key.index()].current, read)) add_broken(read.key);
    decide_conditional_writes(t);
    if (!rules_.exclusive) return;
    for (const KeyId key : facts_.written_by(t)) lock(key, t);
    for (const ConditionalWrite& write : conditional_by(t))
      if (takes_place_[facts_.place(write)]) lock(write.key, t);
  }

  void lock(KeyId key, TxnId t) {
    if (!keys_[key.index()].locked_by.is_none()) add_broken(key);
    keys_[key.index()].locked_by = t;
  }

  std::span<const ConditionalWrite> conditional_by(TxnId t) const {
    return facts_.conditional.empty() ? std::span<const ConditionalWrite>() : facts_.conditional_by(t);
  }

  // By the versions at hand.
  void decide_conditional_writes(TxnId t) {
    const auto writes = conditional_by(t);
    if (writes.empty()) return;
    for (const ConditionalWrite& write : writes)
      takes_place_[facts_.place(write)] = facts_.takes_place(h_, write, keys_[write.key.index()].current);
    for (auto counted = std::ranges::lower_bound(facts_.counted, facts_.place(writes.front()), {},
                                                 &CountedWrites::first);
         counted != facts_.counted.end() && counted->first <= facts_.place(writes.back()); ++counted) {
      const auto first = takes_place_.begin() + counted->first, last = takes_place_.begin() + counted->last;
      if (static_cast<std::uint64_t>(std::count(first, last, true)) != counted->count)
        add_broken(facts_.conditional[counted->first].key);
    }
  }

  void snapshot(TxnId t) {
    see(t);
    for (const ReadFact& read : facts_.of(t))
      if (pending_[read.version.index()] <= 1)
        wake(read.key);  // the one that is left may be the overwriter's own
    for (const OpenRead& read : open_of(t)) wake(read.key);
    if (rules_.two_points) place(points_.snapshot(t));
  }

  void write(TxnId t) {
    for (const VersionId version : facts_.versions_by(t)) {
      PerKey& key = keys_[facts_.writes[version.index()].index()];
      key.current = version;
      if (key.locked_by == t) key.locked_by = TxnId::none();
    }
    for (const ConditionalWrite& write : conditional_by(t)) {
      PerKey& key = keys_[write.key.index()];
      if (takes_place_[facts_.place(write)]) key.current = facts_.conditional_version(facts_.place(write));
      if (key.locked_by == t) key.locked_by = TxnId::none();
    }
  }

  void commit(TxnId t) {
    place(points_.commit(t));
    write(t);
    for (const KeyId key : facts_.written_by(t)) wake(key);
    for (const ConditionalWrite& write : conditional_by(t)) wake(write.key);
    if (rules_.session_order && h_.outcome(t) == Outcome::Committed)
      release_from(h_.session(t), h_.position(t) + 1);
  }

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  Budget& budget_;
  Points points_;
  std::vector<std::uint32_t> rank_;
  std::vector<TxnId> by_rank_;
  std::vector<State> state_;
  struct Waiter {
    TxnId txn;
    std::uint32_t next;
  };
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  std::vector<Waiter> waiters_;  // a list per key, and one of free places
  std::uint32_t free_waiter_ = kNobody;
  std::vector<const VersionOrder*> shown_before_;  // by version; empty: no lists
  struct PerKey {
    VersionId current;
    TxnId locked_by;
    std::uint32_t first_waiter = kNobody;
  };
  std::vector<PerKey> keys_;
  std::vector<bool> takes_place_;       // by conditional write
  std::vector<VersionId> expected_;     // by open read; empty: there is none
  std::vector<std::uint32_t> pending_;  // reads of each version that are still to come
  Queue ready_, blocked_;
  std::optional<Digraph> also_;
  std::vector<std::uint32_t> open_;     // by node: predecessors along these edges that have no place yet
  std::vector<std::uint8_t> is_named_;  // by key: among the broken ones
  struct BrokenRead {
    TxnId shown, writer;
    bool is_new;  // its key is not named yet
    KeyId key;
    friend auto operator<=>(const BrokenRead&, const BrokenRead&) = default;
  };
  std::vector<BrokenRead> broken_reads_;  // of the transaction at hand
  Guess guess_;
};

}  // namespace

std::optional<Guess> guess_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                                 const KnownGraph* known, std::span<const std::uint32_t> rank,
                                 Budget& budget) {
  return Run(history, facts, rules, budget).run(known, rank);
}

Guess follow_order(const History& history, const ReadFacts& facts, const PointRules& rules,
                   std::vector<std::uint32_t> order, Budget& budget) {
  return Run(history, facts, rules, budget).follow(std::move(order));
}

}  // namespace assay

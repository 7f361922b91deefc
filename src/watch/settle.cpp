#include "watch/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/known_order.h"
#include "isolation/real_time.h"
#include "saturation/saturate.h"

namespace assay::watch {
namespace {

// How many later writers of a key are asked before the order of a writer counts as unknown.
constexpr std::size_t kMostAsked = 64;

// The facts without the reads of transactions that are not settled.
ReadFacts of_settled(const ReadFacts& facts, const std::vector<bool>& settled) {
  ReadFacts result = facts;
  result.reads = {};
  for (std::size_t t = 0; t + 1 < facts.begin.size(); ++t) {
    result.begin[t] = static_cast<std::uint32_t>(result.reads.size());
    if (settled[t])
      for (const ReadFact& read : facts.of(TxnId(t))) result.reads.push_back(read);
  }
  result.begin.back() = static_cast<std::uint32_t>(result.reads.size());
  std::erase_if(result.open, [&](const OpenRead& read) { return !settled[read.reader.index()]; });
  return result;
}

// K: the order of commits that follows from real time, sessions, lists, and the reads of settled
// transactions.
class KnownCommits {
 public:
  KnownCommits(const History& history, const ReadFacts& facts, const PointRules& rules,
               const Order& execution, const std::vector<bool>& settled, Budget& budget)
      : h_(history),
        rules_(rules),
        points_(history.transaction_count(), rules.two_points),
        facts_(of_settled(facts, settled)),
        versions_(facts_, history.key_count()),
        graph_(known_graph(history, facts_, rules)) {
    TxnChains chains = fewest_chains(history, facts_, rules, graph_);
    if (!Saturator::fits(chains, graph_, budget)) return;
    std::vector<std::uint32_t> near;
    for (std::size_t time = points_.node_count(); time < graph_.nodes; ++time)
      near.push_back(static_cast<std::uint32_t>(time));
    std::vector<bool> is_near(points_.node_count());
    const auto add = [&](std::uint32_t node) {
      if (!is_near[node]) near.push_back(node);
      is_near[node] = true;
    };
    for (const Point& point : execution)
      add(point.commit ? points_.commit(point.txn) : points_.snapshot(point.txn));
    for (std::uint32_t node = 0; node < points_.node_count(); ++node) add(node);
    order_ = order_near(graph_, near);
    saturator_.emplace(history, facts_, versions_, rules, graph_, std::move(chains), budget);
    derive({});
  }
  KnownCommits(const KnownCommits&) = delete;
  KnownCommits& operator=(const KnownCommits&) = delete;

  // Derives what follows from the reads and writes of these keys. Most keys need none of it.
  void derive(std::span<const KeyId> keys) {
    if (saturator_ && saturator_->look_at(keys, order_).end != Saturation::End::Fixpoint) saturator_.reset();
  }

  bool before(TxnId a, TxnId b) const {
    if (in_time(a, b)) return true;
    return saturator_ && saturator_->clocks().reaches(points_.commit(a), points_.commit(b));
  }

 private:
  bool in_time(TxnId a, TxnId b) const {
    return has_real_time(rules_, true, true) &&
           precedes(bounds(h_, a, true, rules_), bounds(h_, b, true, rules_), rules_.real_time.skew);
  }

  const History& h_;
  const PointRules& rules_;
  const Points points_;
  const ReadFacts facts_;
  const VersionIndex versions_;
  KnownGraph graph_;
  std::vector<std::uint32_t> order_;  // of the nodes of the graph, near to the execution
  std::optional<Saturator> saturator_;
};

class Settling {
 public:
  Settling(const History& history, const ReadFacts& facts, const PointRules& rules, const Order& execution,
           std::int64_t frontier, Budget& budget)
      : h_(history),
        facts_(facts),
        rules_(rules),
        execution_(execution),
        frontier_(frontier),
        budget_(budget) {}

  Settled run() {
    lay_out();
    find_settled();
    known_.emplace(h_, facts_, rules_, execution_, settled_, budget_);
    gather_writers();
    forbid_straddling();
    order_writers();
    for (const KeyId key : h_.keys()) look_at(key);
    for (const ReadFact& read : facts_.reads) look_at(read);
    for (const OpenRead& read : facts_.open) look_at(read);
    return forget_before(latest_cut());
  }

 private:
  // A cut at position p separates the first p points of the execution from the others.
  using Place = std::uint32_t;
  static constexpr Place kNowhere = UINT32_MAX;

  struct Writer {
    TxnId txn;
    bool is_ordered = false;  // precedes all later writers of the key in K
    bool is_dead = false;     // a settled writer follows it in K
  };

  void lay_out() {
    snapshot_.assign(h_.transaction_count(), kNowhere);
    commit_ = snapshot_;
    for (Place i = 0; i < execution_.size(); ++i) {
      const Point& point = execution_[i];
      if (point.commit) commit_[point.txn.index()] = i;
      if (!point.commit || !rules_.two_points) snapshot_[point.txn.index()] = i;
    }
    last_place_ = static_cast<Place>(execution_.size());
    change_.assign(execution_.size() + 2, 0);
  }

  bool is_in_execution(TxnId t) const { return commit_[t.index()] != kNowhere; }

  // Forbids the cuts p with after < p <= upto.
  void forbid(Place after, Place upto) {
    if (after >= upto) return;
    ++change_[after + 1];
    --change_[upto + 1];
  }
  void forbid_beyond(Place after) { forbid(after, last_place_); }

  // Condition 1. An unknown transaction that counts is settled when one that read from it is.
  void find_settled() {
    settled_.assign(h_.transaction_count(), false);
    for (const TxnId t : h_.transactions()) {
      if (is_in_execution(t) || h_.outcome(t) != Outcome::Unknown) continue;
      frontier_ = std::min(frontier_, h_.instants(t).begin.value_or(INT64_MIN));
    }
    const Bounds later{frontier_, std::nullopt};
    for (const TxnId t : h_.transactions())
      if (h_.outcome(t) != Outcome::Unknown)
        settled_[t.index()] = precedes({std::nullopt, h_.instants(t).end}, later, rules_.real_time.skew);
    for (const ReadFact& read : facts_.reads)
      if (!read.writer.is_none() && h_.outcome(read.writer) == Outcome::Unknown &&
          h_.outcome(read.reader) != Outcome::Unknown && settled_[read.reader.index()])
        settled_[read.writer.index()] = true;
    for (const TxnId t : h_.transactions())
      if (is_in_execution(t) && !settled_[t.index()]) forbid_beyond(commit_[t.index()]);
  }

  void forbid_straddling() {
    for (const TxnId t : h_.transactions())
      if (is_in_execution(t)) forbid(snapshot_[t.index()], commit_[t.index()]);
  }

  // The writers of each key, in the order of the execution.
  void gather_writers() {
    begin_.assign(h_.key_count() + 1, 0);
    each_write([&](KeyId key, TxnId) { ++begin_[key.index() + 1]; });
    for (std::size_t k = 0; k < h_.key_count(); ++k) begin_[k + 1] += begin_[k];
    writers_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    each_write([&](KeyId key, TxnId t) { writers_[next[key.index()]++].txn = t; });
  }
  template <class Visit>
  void each_write(Visit visit) const {
    for (const Point& point : execution_)
      if (point.commit)
        for (const KeyId key : facts_.written_by(point.txn)) visit(key, point.txn);
  }

  std::span<Writer> writers(KeyId key) {
    return {writers_.data() + begin_[key.index()], begin_[key.index() + 1] - begin_[key.index()]};
  }
  Place commit(const Writer& writer) const { return commit_[writer.txn.index()]; }

  // Conditions 3 to 5.
  void look_at(KeyId key) {
    const std::span<Writer> all = writers(key);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_last = i + 1 == all.size();
      if (h_.is_list(key)) {
        if (!all[i].is_ordered) forbid_beyond(commit(all[i]));
        continue;
      }
      if (all[i].is_dead || is_last) continue;
      forbid_beyond(commit(all[i + 1]));
      if (!all[i].is_ordered) forbid(commit(all[i]), commit(all[i + 1]));
    }
  }

  // Where the known order does not tell, more of it is derived.
  void order_writers() {
    std::vector<KeyId> open;
    for (const KeyId key : h_.keys())
      if (!order(key)) open.push_back(key);
    known_->derive(open);
    for (const KeyId key : open) order(key);
  }
  // Returns whether all writers of the key are ordered.
  bool order(KeyId key) {
    const std::span<Writer> all = writers(key);
    for (std::size_t i = all.size(); i-- > 0;) order(all, i);
    return std::ranges::all_of(all, [](const Writer& writer) { return writer.is_ordered; });
  }

  // Decides is_ordered and is_dead of a writer; those of the later ones are known.
  void order(std::span<Writer> all, std::size_t i) const {
    Writer& writer = all[i];
    writer.is_ordered = true;
    writer.is_dead = false;
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (j - i > kMostAsked || !known_->before(writer.txn, all[j].txn)) {
        writer.is_ordered = false;
        break;
      }
      writer.is_dead |= settled_[all[j].txn.index()] || all[j].is_dead;
      if (all[j].is_ordered) break;
    }
    for (std::size_t j = i + 1; j < all.size() && j - i <= kMostAsked && !writer.is_dead; ++j)
      writer.is_dead =
          (settled_[all[j].txn.index()] || all[j].is_dead) && known_->before(writer.txn, all[j].txn);
  }

  // Condition 2. While the writer is inside and the reader is not, the version must be the last inside.
  void look_at(const ReadFact& read) {
    if (!read.writer.is_none()) forbid_reading(read.key, read.writer, snapshot_[read.reader.index()], false);
  }
  void look_at(const OpenRead& read) {
    const Place reader = is_in_execution(read.reader) ? snapshot_[read.reader.index()] : last_place_;
    for (const VersionId version : facts_.candidates_of(read)) {
      const TxnId writer = facts_.writer(version);
      if (writer.is_none()) forbid_after_first(read.key, reader);
      else if (is_in_execution(writer)) forbid_reading(read.key, writer, reader, true);
    }
  }
  // `is_open`: the execution may have chosen another writer for the read, so this version need not be the
  // last inside.
  void forbid_reading(KeyId key, TxnId writer, Place reader, bool is_open) {
    const std::span<Writer> all = writers(key);
    const auto at = std::ranges::lower_bound(all, commit_[writer.index()], {},
                                             [&](const Writer& w) { return commit(w); });
    if (!at->is_ordered) forbid(commit(*at), reader);
    else if (is_open && at + 1 != all.end()) forbid(commit(at[1]), reader);
  }
  void forbid_after_first(KeyId key, Place reader) {
    if (const std::span<Writer> all = writers(key); !all.empty()) forbid(commit(all.front()), reader);
  }

  Place latest_cut() const {
    Place latest = 0;
    std::int64_t forbidding = 0;
    for (Place p = 0; p <= last_place_; ++p) {
      forbidding += change_[p];
      if (forbidding == 0) latest = p;
    }
    return latest;
  }

  Settled forget_before(Place cut) {
    Settled result;
    result.forgotten.assign(h_.transaction_count(), false);
    result.frontier = frontier_;
    for (const TxnId t : h_.transactions()) {
      const bool is_inside = is_in_execution(t) && commit_[t.index()] < cut;
      if (!is_inside && !(h_.outcome(t) == Outcome::Aborted && settled_[t.index()])) continue;
      result.forgotten[t.index()] = true;
      ++result.count;
    }
    // Each key's writes by the last of its writers inside; of lists, the appends of all.
    for (Place i = 0; i < cut; ++i) {
      const TxnId t = execution_[i].txn;
      if (!execution_[i].commit) continue;
      for (const OpId op : h_.operations(t)) {
        if (h_.kind(op) == OpKind::Append) result.appends.push_back(op);
        if (h_.kind(op) == OpKind::Write && is_last_inside(h_.key(op), t, cut) && is_final(op, t))
          result.last_writes.push_back(op);
      }
    }
    return result;
  }
  bool is_last_inside(KeyId key, TxnId t, Place cut) {
    const std::span<Writer> all = writers(key);
    const auto beyond = std::ranges::lower_bound(all, cut, {}, [&](const Writer& w) { return commit(w); });
    return beyond != all.begin() && beyond[-1].txn == t;
  }
  bool is_final(OpId write, TxnId t) const {
    for (std::uint32_t op = write.value + 1; op < h_.operations(t).last.value; ++op)
      if (h_.kind(OpId(op)) == OpKind::Write && h_.key(OpId(op)) == h_.key(write)) return false;
    return true;
  }

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  const Order& execution_;
  std::int64_t frontier_;
  Budget& budget_;
  std::optional<KnownCommits> known_;
  std::vector<Place> snapshot_, commit_;  // by transaction: positions in the execution
  Place last_place_ = 0;
  std::vector<bool> settled_;
  std::vector<std::uint32_t> begin_;  // by key
  std::vector<Writer> writers_;       // by key
  std::vector<std::int32_t> change_;  // how many ranges of forbidden cuts begin here, less those that ended
};

}  // namespace

Result<void> can_forget_at(Level level) {
  const RealTimeRules& time = row(level).points.real_time;
  const bool is_total = row(level).points.total && row(level).view == View::Order;
  if (is_total && time.c_to_s && (time.c_to_c || !row(level).points.two_points)) return {};
  return error(
      fmt::format("{} lets a transaction read a state of any age, so nothing could be forgotten", id(level)),
      "watch at ser or si, whose violations say which weaker levels are broken too");
}

Settled settle(const History& history, const ReadFacts& facts, Level level, std::int64_t horizon,
               const Order& execution, std::int64_t frontier, Budget& budget) {
  ASSAY_REQUIRE(can_forget_at(level).has_value());
  PointRules rules = row(level).points;
  rules.real_time.skew = horizon;
  return Settling(history, facts, rules, execution, frontier, budget).run();
}

}  // namespace assay::watch

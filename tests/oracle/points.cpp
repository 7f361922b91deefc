#include "oracle/points.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace assay::oracle {
namespace {

// When a point can have been, as far as the client knows.
using Instant = __int128;  // adding a skew cannot overflow
constexpr Instant kNever = Instant{1} << 100;

struct Interval {
  Instant earliest, latest;
};

Instant or_else(std::optional<std::int64_t> instant, Instant otherwise) {
  return instant ? Instant{*instant} : otherwise;
}

// The answer of a transaction whose outcome is unknown never came: its `end` bounds nothing.
Instant latest_end(const Transaction& t) {
  return t.outcome == Outcome::Unknown ? kNever : or_else(t.instants.end, kNever);
}

Interval snapshot_interval(const Transaction& t, bool one_point) {
  const Instant begin = or_else(t.instants.begin, -kNever);
  if (one_point) return {begin, latest_end(t)};
  return {begin, or_else(t.instants.began, latest_end(t))};
}

Interval commit_interval(const Transaction& t, bool one_point) {
  const Instant begin = or_else(t.instants.begin, -kNever);
  if (one_point) return {begin, latest_end(t)};
  return {or_else(t.instants.committing, begin), latest_end(t)};
}

// Places points one after another, while a store is replayed beside them: a snapshot fits when every
// read returned what the store holds at that moment, a commit changes what it holds. No writer is
// ever chosen for a read: with repeated values the store's state says who it was.
class PointSearch {
 public:
  PointSearch(const Model& model, const PointRules& rules, TxnSet counting)
      : model_(model), rules_(rules), counting_(counting), store_(model.key_count) {
    for (const Write& write : model.transactions[kInitial].writes) store_[write.key] = after(write, {});
    order_by_sessions_and_time();
  }

  bool extend() {
    if (committed_ == counting_) return true;
    if (!tried_.insert(fingerprint()).second) return false;
    for (const Txn t : counting_ - committed_) {
      if (!started_.contains(t) ? start(t) : !rules_.one_point && commit(t)) return true;
    }
    return false;
  }

 private:
  void order_by_sessions_and_time() {
    const std::size_t n = model_.transactions.size();
    commits_before_snapshot_.resize(n);
    commits_before_commit_.resize(n);
    snapshots_before_commit_.resize(n);
    for (const Txn q : counting_) {
      if (rules_.session_order)
        commits_before_snapshot_[q] = model_.transactions[q].session_predecessors & counting_;
      const Interval s = snapshot_interval(model_.transactions[q], rules_.one_point);
      const Interval c = commit_interval(model_.transactions[q], rules_.one_point);
      for (const Txn p : counting_ - TxnSet::of(q)) {
        const Instant p_snapshot =
            snapshot_interval(model_.transactions[p], rules_.one_point).latest + rules_.skew;
        const Instant p_commit =
            commit_interval(model_.transactions[p], rules_.one_point).latest + rules_.skew;
        const TxnSet only_p = TxnSet::of(p);
        if (rules_.real_time_into_snapshots && p_commit < s.earliest) commits_before_snapshot_[q] |= only_p;
        if (rules_.real_time_into_commits && p_commit < c.earliest) commits_before_commit_[q] |= only_p;
        if (rules_.real_time_into_commits && p_snapshot < c.earliest) snapshots_before_commit_[q] |= only_p;
      }
    }
  }

  bool start(Txn t) {
    if (!committed_.includes(commits_before_snapshot_[t])) return false;
    const TxnSet open = started_ - committed_;
    if (rules_.first_committer_wins && !(open & model_.shares_a_key[t]).empty()) return false;
    const auto& reads = model_.transactions[t].reads;
    if (!std::ranges::all_of(reads, [&](const Read& read) { return read.accepts(store_[read.key]); }))
      return false;
    started_ |= TxnSet::of(t);
    const bool found = rules_.one_point ? commit(t) : extend();
    started_ = started_ - TxnSet::of(t);
    return found;
  }

  bool commit(Txn t) {
    if (!committed_.includes(commits_before_commit_[t])) return false;
    if (!started_.includes(snapshots_before_commit_[t])) return false;
    for (const Read& read : model_.transactions[t].reads)
      if (read.own_follow && !read.accepts(store_[read.key])) return false;

    std::vector<Content> overwritten;
    for (const Write& write : model_.transactions[t].writes) {
      overwritten.push_back(store_[write.key]);
      store_[write.key] = after(write, store_[write.key]);
    }
    committed_ |= TxnSet::of(t);
    const bool found = extend();
    committed_ = committed_ - TxnSet::of(t);
    for (std::size_t i = 0; i < overwritten.size(); ++i)
      store_[model_.transactions[t].writes[i].key] = std::move(overwritten[i]);
    return found;
  }

  // What decides whether the rest can be placed.
  std::string fingerprint() const {
    std::string text;
    const auto put = [&](std::uint32_t number) {
      for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(number >> shift & 0xff);
    };
    put(started_.bits);
    put(committed_.bits);
    for (const Content& content : store_) {
      put(static_cast<std::uint32_t>(content.size()));
      for (const KeyValueId value : content) put(value.value);
    }
    return text;
  }

  const Model& model_;
  const PointRules& rules_;
  const TxnSet counting_;
  std::vector<TxnSet> commits_before_snapshot_, commits_before_commit_, snapshots_before_commit_;

  TxnSet started_, committed_;
  std::vector<Content> store_;  // of each key, now
  std::unordered_set<std::string> tried_;
};

}  // namespace

PointRules point_rules(Level level, Options options) {
  const bool one_point = level == Level::ser || level == Level::plain_ser || level == Level::strict_ser;
  return {
      .one_point = one_point,
      .first_committer_wins = !one_point && level != Level::pc,
      .session_order = level != Level::adya_si && level != Level::gsi && level != Level::plain_ser,
      .real_time_into_snapshots = level == Level::strong_si || level == Level::strict_ser,
      .real_time_into_commits =
          level == Level::gsi || level == Level::session_si || level == Level::strong_si,
      .skew = options.skew,
  };
}

bool has_order_of_points(const Model& model, const PointRules& rules) {
  return some_outcome(model, [&](TxnSet counting) { return PointSearch(model, rules, counting).extend(); });
}

}  // namespace assay::oracle

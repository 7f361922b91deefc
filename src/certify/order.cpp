// Checks that a level holds. The order must contain all points, and respect sessions and clocks. At the
// levels with a total order, it replays the commits, and every reader must find at its snapshot what it read.
#include "certify/order.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/certify.h"
#include "certify/clocks.h"

namespace assay {

Level level_of(Level level, const Order& order) {
  const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
  return snapshots ? stand_in(level) : level;
}

Result<Positions> positions(const History& h, Level level, const Order& order) {
  Positions at{std::vector(h.transaction_count(), kNowhere), std::vector(h.transaction_count(), kNowhere)};
  std::uint32_t position = 0;
  for (const Point& p : order) {
    if (p.txn.index() >= h.transaction_count()) return error("the order has a point of no transaction");
    if (h.outcome(p.txn) == Outcome::Aborted)
      return error(fmt::format("{} is in the order, but was aborted", called(p.txn)));
    if (!p.commit && !has_two_points(level))
      return error(fmt::format("{} has only commit points, s{} is none", id(level), p.txn.index() + 1));
    std::uint32_t& place = (p.commit ? at.commit : at.snapshot)[p.txn.index()];
    if (place != kNowhere)
      return error(fmt::format("{}{} is in the order twice", p.commit ? 'c' : 's', p.txn.index() + 1));
    place = ++position;
    if (p.commit && has_two_points(level) && at.snapshot[p.txn.index()] == kNowhere)
      return error(fmt::format("c{0} is not after s{0}", p.txn.index() + 1));
  }
  if (!has_two_points(level)) at.snapshot = at.commit;
  for (const TxnId t : h.transactions()) {
    if (at.snapshot[t.index()] != kNowhere && !at.contain(t))
      return error(fmt::format("s{0} is in the order, but not c{0}", t.index() + 1));
    if (h.outcome(t) == Outcome::Committed && !at.contain(t))
      return error(fmt::format("{} is missing from the order", called(t)));
  }
  return at;
}

namespace {

Result<void> check_sessions(const History& h, const Positions& at) {
  for (const SessionId session : h.sessions()) {
    TxnId last;  // the last committed one, which has the latest position so far
    for (const TxnId t : h.transactions(session)) {
      if (!at.contain(t)) continue;
      if (at.snapshot[t.index()] < at.of(last))
        return error(
            fmt::format("{} is before {}, which precedes it in its session", called(t), called(last)));
      if (h.outcome(t) == Outcome::Committed) last = t;
    }
  }
  return {};
}

// Checks that the order respects real time. Keeps, for snapshots and for commits, the point so far with the
// latest lower bound.
class RealTime {
 public:
  RealTime(const History& history, const PointRules& rules, std::int64_t skew)
      : h_(history), rules_(rules), skew_(skew) {}

  // No point may come after one that it precedes in real time. It suffices to compare it with these two.
  Result<void> check(const Order& order) {
    for (const Point& p : order) {
      const PointInterval at = interval_of(h_, p, rules_);
      for (const Latest& before : latest_)
        if (orders_by_clock(rules_, p.commit, before.point.commit) && is_earlier(at, before.interval, skew_))
          return error(
              fmt::format("{} is after {}, which it precedes in real time", name(p), name(before.point)));
      Latest& same = latest_[p.commit];
      if (at.earliest && (!same.interval.earliest || *at.earliest > *same.interval.earliest)) same = {p, at};
    }
    return {};
  }

 private:
  struct Latest {
    Point point{};
    PointInterval interval{};
  };
  static std::string name(Point p) { return fmt::format("{}{}", p.commit ? 'c' : 's', p.txn.index() + 1); }

  const History& h_;
  const PointRules& rules_;
  const std::int64_t skew_;
  Latest latest_[2];  // snapshots, commits
};

// Checks that transactions see their own writes and, if the level requires it, that reads repeat.
Result<void> check_within_transactions(const History& h, const Positions& at, const Reads& reads) {
  for (const TxnId t : h.transactions()) {
    if (!at.contain(t)) continue;
    for (const OpId op : h.operations(t)) {
      if (reads.kind(op) == Reads::Kind::Contradiction)
        return error(fmt::format("read {} does not return its transaction's own write", called(h, op)));
      if (reads.kind(op) == Reads::Kind::Unrepeatable)
        return error(fmt::format("read {} differs from an earlier one of the same key", called(h, op)));
    }
  }
  return {};
}

class Replay {
 public:
  Replay(const History& history, Level level, const Positions& at, const Reads& reads)
      : h_(history),
        first_committer_wins_(row(level).points.exclusive),
        at_(at),
        reads_(reads),
        value_(h_.key_count()),
        list_(h_.key_count()),
        changed_(h_.key_count(), 0) {
    for (const KeyId key : h_.keys()) value_[key.index()] = h_.initial_value(key);
  }

  Result<void> run(const Order& order, bool snapshots) {
    for (const Point& p : order) {
      if (!p.commit || !snapshots) ASSAY_TRY(take_snapshot(p.txn));
      if (p.commit) ASSAY_TRY(commit(p.txn));
    }
    return {};
  }

 private:
  Result<void> take_snapshot(TxnId t) const {
    for (const OpId op : h_.operations(t)) {
      if (reads_.kind(op) != Reads::Kind::External) continue;
      const std::size_t key = h_.key(op).index();
      const bool same = h_.kind(op) == OpKind::ListRead
                            ? std::ranges::equal(list_[key], reads_.external_part(op))
                        : h_.kind(op) == OpKind::ReadOneOf
                            ? std::ranges::find(h_.rows(op), value_[key]) != h_.rows(op).end()
                            : value_[key] == h_.value(op);
      if (!same) return error(fmt::format("read {} does not return what was committed last", called(h_, op)));
    }
    return {};
  }

  Result<void> commit(TxnId t) {
    for (const OpId op : h_.operations(t))
      if (h_.kind(op) == OpKind::ListRead && reads_.shows_own_elements(op) &&
          list_[h_.key(op).index()].size() != reads_.external_part(op).size())
        return error(fmt::format("read {} shows elements before its own ones to which others were added",
                                 called(h_, op)));
    for (const KeyId key : reads_.keys_written(t)) {
      std::uint32_t& changed = changed_[key.index()];
      if (first_committer_wins_ && changed > at_.snapshot[t.index()])
        return error(fmt::format("{} writes key {}, which another one wrote since its snapshot", called(t),
                                 h_.display(key)));
      changed = at_.of(t);
    }
    for (const OpId op : h_.operations(t)) {
      if (h_.kind(op) == OpKind::Append) list_[h_.key(op).index()].push_back(h_.value(op));
      if (h_.kind(op) == OpKind::Write || h_.kind(op) == OpKind::Delete)
        value_[h_.key(op).index()] = h_.value(op);
    }
    return {};
  }

  const History& h_;
  const bool first_committer_wins_;
  const Positions& at_;
  const Reads& reads_;
  std::vector<KeyValueId> value_;  // by key: its current value
  std::vector<std::vector<KeyValueId>> list_;
  std::vector<std::uint32_t> changed_;  // by key: the position of its last change
};

}  // namespace

Result<void> certify(const History& history, Level claimed, const Execution& execution, std::int64_t skew) {
  const Level level = level_of(claimed, execution.order);
  ASSAY_TRY(certifiable(history, level, skew));
  const PointRules rules = row(level).points;
  const Order& order = execution.order;
  const auto at = positions(history, level, order);
  if (!at) return at.error();
  if (rules.session_order) ASSAY_TRY(check_sessions(history, *at));
  if (rules.real_time.any()) ASSAY_TRY(RealTime(history, rules, skew).check(order));

  const Reads reads = Reads::of_those_in(history, level, *at);
  ASSAY_TRY(check_within_transactions(history, *at, reads));
  if (!rules.total) return certify_weak_order({history, level, order, execution.from, *at, reads});
  if (!execution.from.empty())
    return error(fmt::format("{} has no from lines: the order says it", id(level)));
  return Replay(history, level, *at, reads).run(order, rules.two_points);
}

}  // namespace assay

#include "explain/shrink.h"

#include <algorithm>
#include <set>
#include <span>

#include "explain/core.h"
#include "explain/name.h"
#include "explain/wrong_read.h"

namespace assay {
namespace {

// Whether the proof only counts updates and versions. Then none of its transactions can be left out: the
// others could be matched with versions (graph/matching.h). To find that out for each by judging the rest
// would take long.
bool is_crowd(const Proof& proof) {
  return proof.back().kind == Rule::Crowded &&
         std::ranges::all_of(std::span(proof).first(proof.size() - 1),
                             [](const ProofLine& line) { return line.kind == Rule::Candidates; });
}

bool is_wrong_read(const Violated& verdict) { return verdict.proof.back().kind == Rule::WrongRead; }

// Whether a read returned, or may have returned, one of these values.
bool may_return(const History& h, OpId op, const std::set<KeyValueId>& values) {
  if (h.kind(op) == OpKind::Read) return values.contains(h.value(op));
  if (h.kind(op) != OpKind::ReadOneOf) return false;
  return std::ranges::any_of(h.rows(op), [&](KeyValueId value) { return values.contains(value); });
}

// The values of which a read can be from some write that took effect and was the last one of its key in its
// transaction. Other writes of these values explain no read, so a part of the history can do without them.
class ReadableValues {
 public:
  explicit ReadableValues(const History& history) : h_(history) {
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (is_item_write(h_.kind(op)) && is_version(t, op)) values_.insert(h_.value(op));
  }
  // Whether a read of the value would lose something without this write.
  bool may_explain(TxnId t, OpId write) const {
    return is_version(t, write) || !values_.contains(h_.value(write));
  }

 private:
  bool is_version(TxnId t, OpId write) const {
    if (h_.outcome(t) == Outcome::Aborted) return false;
    return std::ranges::none_of(h_.operations(t), [&](OpId later) {
      return later > write && is_item_write(h_.kind(later)) && h_.key(later) == h_.key(write);
    });
  }

  const History& h_;
  std::set<KeyValueId> values_;
};

// Adds to the selection every write of a version that its ReadOneOf operations may have returned: a read that
// loses a candidate version would claim more than the client knew. Each such writer keeps all its writes of
// the key, since otherwise a version that nobody could see would become its last.
Selection with_what_may_be_read(const History& h, const Selection& selection) {
  std::set<KeyValueId> readable;
  for (const OpId op : selection.operations)
    if (h.kind(op) == OpKind::ReadOneOf) readable.insert(h.rows(op).begin(), h.rows(op).end());
  if (readable.empty()) return selection;
  const ReadableValues values(h);
  std::set<TxnId> transactions(selection.transactions.begin(), selection.transactions.end());
  std::set<OpId> operations(selection.operations.begin(), selection.operations.end());
  for (const TxnId t : h.transactions()) {
    std::set<KeyId> keys;
    for (const OpId op : h.operations(t))
      if (is_item_write(h.kind(op)) && readable.contains(h.value(op)) && values.may_explain(t, op))
        keys.insert(h.key(op));
    if (keys.empty()) continue;
    transactions.insert(t);
    for (const OpId op : h.operations(t))
      if (is_item_write(h.kind(op)) && keys.contains(h.key(op))) operations.insert(op);
  }
  return {{transactions.begin(), transactions.end()}, {operations.begin(), operations.end()}};
}

// The history without the dropped operations, without reads that returned or may have returned a dropped
// write (of another transaction, or the last write of their own), and without transactions that this empties.
Selection consistent(const History& h, const std::set<OpId>& dropped) {
  const ReadableValues values(h);
  std::set<KeyValueId> lost;
  for (const OpId op : dropped)
    if (is_item_write(h.kind(op)) && values.may_explain(transaction_of(h, op), op)) lost.insert(h.value(op));
  Selection result;
  for (const TxnId t : h.transactions()) {
    const std::size_t before = result.operations.size();
    std::set<KeyId> lost_own;
    for (const OpId op : h.operations(t)) {
      const bool is_dropped = dropped.contains(op);
      if (is_item_write(h.kind(op)))
        is_dropped ? (void)lost_own.insert(h.key(op)) : (void)lost_own.erase(h.key(op));
      if (is_dropped) continue;
      const bool reads = h.kind(op) == OpKind::Read || h.kind(op) == OpKind::ReadOneOf;
      if (reads && (may_return(h, op, lost) || lost_own.contains(h.key(op)))) continue;
      result.operations.push_back(op);
    }
    if (result.operations.size() > before || h.operations(t).empty()) result.transactions.push_back(t);
  }
  return result;
}

Part all_of(const History& whole, Level level, const Violated& verdict) {
  Part part{whole, {}, level, verdict, false};
  for (const TxnId t : whole.transactions()) part.origin.transactions.push_back(t);
  for (const OpId op : whole.operations()) part.origin.operations.push_back(op);
  return part;
}

class Shrinker {
 public:
  Shrinker(const Violated& wanted, std::int64_t skew, const Patience& patience)
      : wanted_(wanted.anomaly ? anomaly_name(wanted) : ""),
        sessions_(wanted.needs_session_order || !wanted.anomaly),
        skew_(skew),
        patience_(patience) {}

  // Tries the first part. Returns false if it does not show the violation.
  bool begin(const History& whole, const Selection& selection, Level level) {
    level_ = level;
    return accept(restrict(whole, selection), selection);
  }
  // Accepts any anomaly from now on, for when the wanted one does not appear in a part by itself.
  void want_any() {
    wanted_.clear();
    sessions_ = true;
  }

  void run() {
    if (is_crowd(part_->verdict.proof)) return;
    while (drop_sessions() || drop_transactions() || drop_operations()) {
    }
  }

  Part part() && {
    part_->minimal = !stopped_;
    return std::move(*part_);
  }

 private:
  std::optional<Violated> judge(const History& candidate, Selection* spoken_of) {
    Budget& budget = part_ ? *patience_.smaller : *patience_.first;
    if (stopped_ || (stopped_ = budget.is_spent())) return std::nullopt;
    std::optional<History> alone;
    if (!sessions_) alone = without_sessions(candidate);
    Checker checker(alone ? *alone : candidate, {.skew = skew_, .budget = &budget});
    auto verdict = judge_and_name(checker, level_);
    auto* violated = verdict ? std::get_if<Violated>(&*verdict) : nullptr;
    if (violated == nullptr || (!wanted_.empty() && anomaly_name(*violated) != wanted_)) return std::nullopt;
    if (!is_wrong_read(*violated))
      *spoken_of =
          with_what_may_be_read(candidate, core(checker.history(), checker.facts(level_), violated->proof));
    return std::move(*violated);
  }

  // Accepts the candidate if it shows the violation; then the operations that its proof uses, as long as
  // these are fewer.
  bool accept(History candidate, Selection origin) {
    bool accepted = false;
    for (;;) {
      Selection spoken_of;
      auto verdict = judge(candidate, &spoken_of);
      if (!verdict) return accepted;
      accepted = true;
      const bool is_less =
          !spoken_of.operations.empty() && spoken_of.operations.size() < candidate.operation_count();
      std::optional<History> less;
      if (is_less) less = restrict(candidate, spoken_of);
      part_.emplace(Part{std::move(candidate), std::move(origin), level_, std::move(*verdict)});
      if (!less) return true;
      candidate = std::move(*less);
      origin = origins(spoken_of);
    }
  }

  Selection origins(const Selection& selection) const {
    Selection result;
    for (const TxnId t : selection.transactions)
      result.transactions.push_back(part_->origin.transactions[t.index()]);
    for (const OpId op : selection.operations)
      result.operations.push_back(part_->origin.operations[op.index()]);
    return result;
  }

  const History& now() const { return part_->history; }

  bool drop(const std::set<OpId>& operations) {
    const Selection rest = consistent(now(), operations);
    if (rest.operations.empty()) return false;
    return accept(restrict(now(), rest), origins(rest));
  }

  // Tries to drop runs of `count` things, from long runs to single ones and from the last to the first.
  // `operations(i)` are the operations of thing i. Returns after the first success, which changes the
  // numbers.
  template <class Operations>
  bool drop_one_run(std::size_t count, std::size_t longest, Operations operations) {
    for (std::size_t length = std::max<std::size_t>(longest, 1); length > 0; length /= 2)
      for (std::size_t end = count; end > 0; end -= std::min(end, length)) {
        std::set<OpId> dropped;
        for (std::size_t i = end - std::min(end, length); i < end; ++i)
          for (const OpId op : operations(i)) dropped.insert(op);
        if (!dropped.empty() && drop(dropped)) return true;
        if (stopped_) return false;
      }
    return false;
  }

  bool drop_sessions() {
    return drop_one_run(now().session_count(), now().session_count() / 2, [&](std::size_t i) {
      std::vector<OpId> result;
      for (const TxnId t : now().transactions(SessionId(i)))
        for (const OpId op : now().operations(t)) result.push_back(op);
      return result;
    });
  }
  bool drop_transactions() {
    return drop_one_run(now().transaction_count(), now().transaction_count() / 2,
                        [&](std::size_t i) { return now().operations(TxnId(i)); });
  }
  bool drop_operations() {
    return drop_one_run(now().operation_count(), now().operation_count() / 2,
                        [](std::size_t i) { return std::vector<OpId>{OpId(i)}; });
  }

  Level level_{};
  std::string wanted_;  // the anomaly; empty: any
  bool sessions_;
  std::int64_t skew_;
  const Patience& patience_;
  bool stopped_ = false;
  std::optional<Part> part_;
};

// Judges the first part at the level itself. If it does not show the anomaly there, tries the weaker levels,
// because the anomaly may be named after one of those.
bool begin(Shrinker& shrinker, const History& whole, const Selection& first, Level level) {
  if (shrinker.begin(whole, first, level)) return true;
  return std::ranges::any_of(levels(), [&](const LevelRow& weaker) {
    return weaker.level != level && implies(level, weaker.level) &&
           shrinker.begin(whole, first, weaker.level);
  });
}

}  // namespace

Part shrink(const Checker& checker, Level level, const Violated& verdict, const Patience& patience) {
  const History& whole = checker.history();
  const Selection first =
      with_what_may_be_read(whole, is_wrong_read(verdict) ? around_wrong_read(whole, verdict.proof.back().op)
                                                          : core(whole, checker.facts(level), verdict.proof));
  Shrinker shrinker(verdict, checker.skew(), patience);
  if (!begin(shrinker, whole, first, level)) {
    shrinker.want_any();
    if (!shrinker.begin(whole, first, level)) return all_of(whole, level, verdict);
  }
  shrinker.run();
  return std::move(shrinker).part();
}

}  // namespace assay

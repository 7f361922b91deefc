#include "check/statement_views.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "check/execution_view.h"
#include "check/past_views.h"
#include "history/statement_replay.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

class StatementViews {
 public:
  StatementViews(const History& history, const Items& items, Level level, const ExecutionView& execution,
                 std::size_t per_writer)
      : h_(history),
        items_(items),
        execution_(execution),
        atomic_(row(level).view == View::Neighbours),
        sessions_(atomic_ && row(level).session_order()),
        per_writer_(per_writer),
        replay_(history, items.completion.truths),
        fixed_of_key_(h_.key_count()),
        judged_(h_.transaction_count()),
        in_session_(h_.session_count()) {}

  std::vector<Invisible> run(Budget& budget) {
    for (const Point& p : execution_.order()) {
      if (budget.is_spent()) break;
      look(p.txn);
      replay_.commit(p.txn);
      if (!sessions_ || h_.outcome(p.txn) != Outcome::Committed) continue;
      for (const KeyId key : execution_.keys_written(p.txn))
        in_session_[h_.session(p.txn).index()][key] = p.txn;
    }
    std::ranges::sort(unexplained_);
    return std::move(unexplained_);
  }

 private:
  // A read of the current transaction whose writer is known.
  struct Fixed {
    KeyId key;
    OpId statement;
    TxnId writer;
  };
  // An invisible read that the newest version before the reader does not explain.
  struct Left {
    Invisible read;
    bool matched;
    TxnId spoiler;
  };

  void look(TxnId t) {
    if (std::ranges::none_of(h_.operations(t), [&](OpId op) { return is_statement(h_.kind(op)); })) return;
    find_fixed(t);
    spoilt_by_.clear();
    left_.clear();
    entered_.clear();
    ++judgement_;
    replay_.run(t, [&](OpId op) {
      if (!atomic_) ++judgement_;
      look(op, t);
    });
    for (const Left& left : left_) look_at_view(left, t);
  }

  void find_fixed(TxnId t) {
    for (const Fixed& fixed : fixed_) fixed_of_key_[fixed.key.index()] = 0;
    fixed_.clear();
    for (const ExecutionView::Read& read : execution_.reads(t))
      fixed_.push_back({read.key, items_.origin(read.op), read.writer});
    std::ranges::stable_sort(fixed_, {}, &Fixed::key);
    for (std::size_t i = fixed_.size(); i-- > 0;)
      fixed_of_key_[fixed_[i].key.index()] = static_cast<std::uint32_t>(i + 1);
  }

  void look(OpId op, TxnId t) {
    replay_.each_invisible(op, [&](KeyId key, bool matched, bool fits) {
      const TxnId writer = replay_.table().row(key).writer;
      if (writer == t) {
        if (!fits) report({op, key}, t);
      } else if (!fits || !may_enter(writer, op)) {
        left_.push_back({{op, key}, matched, writer});
      }
    });
  }

  // Whether the writer may enter the view: it overwrote no version that the reader saw in a later statement
  // (rc), or anywhere (ra).
  bool may_enter(TxnId writer, OpId statement) {
    if (writer.is_none()) return true;
    Judgement& known = judged_[writer.index()];
    if (known.number != judgement_) {
      known = {judgement_, !overwrote_fixed(writer, statement)};
      if (known.may_enter) entered_.push_back({statement, writer});
    }
    return known.may_enter;
  }

  bool overwrote_fixed(TxnId writer, OpId statement) const {
    return std::ranges::any_of(execution_.keys_written(writer), [&](KeyId key) {
      const std::uint32_t first = fixed_of_key_[key.index()];
      if (first == 0) return false;
      for (std::size_t i = first - 1; i < fixed_.size() && fixed_[i].key == key; ++i)
        if ((atomic_ || fixed_[i].statement > statement) && at(fixed_[i].writer) < at(writer)) return true;
      return false;
    });
  }

  void look_at_view(const Left& left, TxnId t) {
    const Invisible read = left.read;
    TxnId newest;
    const auto enter = [&](TxnId writer) {
      if (at(writer) > at(newest) && execution_.writes(writer, read.key)) newest = writer;
    };
    for (const Fixed& fixed : fixed_)
      if (atomic_ || fixed.statement < read.op) enter(fixed.writer);
    for (const auto& [statement, writer] : entered_)
      if (atomic_ || statement < read.op) enter(writer);
    const auto& session = in_session_[h_.session(t).index()];
    if (const auto before = session.find(read.key); before != session.end()) enter(before->second);
    const KeyValueId value = newest.is_none() ? h_.initial_value(read.key) : last_value(newest, read.key);
    if (value.is_none() || matches(read, value) != left.matched) report(read, left.spoiler);
  }

  bool matches(Invisible read, KeyValueId value) const {
    if (h_.kind(read.op) == OpKind::Scan) return !h_.value(value).is_null();
    return RowTest(h_, h_.predicate(read.op))(read.key, h_.value(value));
  }

  KeyValueId last_value(TxnId writer, KeyId key) const {
    KeyValueId last;
    for (const OpId op : h_.operations(writer))
      each_write(h_, op, items_.completion.truths, [&](KeyId written, KeyValueId value) {
        if (written == key) last = value;
      });
    return last;
  }

  void report(Invisible read, TxnId spoiler) {
    if (!std::ranges::binary_search(items_.completion.reads, read) && spoilt_by_[spoiler]++ < per_writer_)
      unexplained_.push_back(read);
  }

  std::uint32_t at(TxnId t) const { return execution_.at(t); }

  const History& h_;
  const Items& items_;
  const ExecutionView& execution_;
  const bool atomic_, sessions_;
  const std::size_t per_writer_;
  StatementReplay replay_;                   // the versions before the reader in the order
  std::vector<Fixed> fixed_;                 // sorted by key
  std::vector<std::uint32_t> fixed_of_key_;  // by key: 1 + the index of its first in fixed_; 0: none
  struct Judgement {
    std::size_t number = 0;
    bool may_enter = false;
  };
  std::size_t judgement_ = 0;
  std::vector<Judgement> judged_;  // by writer
  std::vector<std::pair<OpId, TxnId>> entered_;
  std::vector<Left> left_;
  std::vector<std::unordered_map<KeyId, TxnId>>
      in_session_;  // by session: the last writer of each key so far
  std::map<TxnId, std::size_t> spoilt_by_;
  std::vector<Invisible> unexplained_;
};

}  // namespace

Result<std::vector<Invisible>> unexplained_reads(const History& history, const Items& items, Level level,
                                                 const Execution& execution, std::size_t per_writer,
                                                 Budget& budget) {
  const auto view = ExecutionView::of(items.history, level, execution);
  if (!view) return view.error();
  if (!sees_the_past(level)) return StatementViews(history, items, level, *view, per_writer).run(budget);
  std::map<std::pair<TxnId, TxnId>, std::size_t> spoilt_by;  // by reader and writer
  std::vector<Invisible> unexplained;
  ASSAY_TRY(look_at_pasts(history, items, level, *view, budget, [&](Invisible read, TxnId spoiler) {
    if (std::ranges::binary_search(items.completion.reads, read)) return;
    if (spoilt_by[{transaction_of(history, read.op), spoiler}]++ < per_writer) unexplained.push_back(read);
  }));
  std::ranges::sort(unexplained);
  return unexplained;
}

}  // namespace assay

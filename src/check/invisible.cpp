#include "check/invisible.h"

#include <algorithm>
#include <map>

#include "history/statement_replay.h"
#include "history/truths.h"

namespace assay {
namespace {

class Replay {
 public:
  Replay(const History& history, std::span<const Truth> truths, std::span<const Invisible> rows,
         std::size_t per_writer)
      : h_(history),
        per_writer_(per_writer),
        has_rows_(!rows.empty()),
        found_{{}, {}, with_open(truths, rows)},
        table_(history, found_.truths),
        is_decided_(found_.truths.size()) {
    if (!has_rows_) return;
    is_of_rows_.resize(h_.key_count());
    own_.resize(h_.key_count());
    written_.resize(h_.key_count());
    snapshot_.resize(h_.transaction_count());
    for (const Invisible& row : rows) {
      is_decided_[place(row)] = true;
      is_of_rows_[row.key.index()] = true;
    }
  }

  Replayed run(const Order& order, bool exclusive, Budget& budget) {
    const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
    std::uint32_t now = 0;
    for (const Point& p : order) {
      if (budget.is_spent()) break;
      ++now;
      if (has_rows_ && !p.commit) snapshot_[p.txn.index()] = now;
      if (!p.commit || !snapshots) read(p.txn);
      if (p.commit) table_.commit(p.txn);
      if (has_rows_ && p.commit && snapshots && exclusive) look_at_writes(p.txn, now);
    }
    std::ranges::sort(found_.broken);
    std::ranges::sort(found_.keys);
    const auto twice = std::ranges::unique(found_.keys);
    found_.keys.erase(twice.begin(), twice.end());
    return std::move(found_);
  }

 private:
  static std::vector<Truth> with_open(std::span<const Truth> truths, std::span<const Invisible> rows) {
    std::vector<Truth> open, all;
    for (const Invisible& row : rows) open.push_back({row.op, row.key, false});
    std::ranges::merge(truths, open, std::back_inserter(all));
    return all;
  }

  std::size_t place(Invisible row) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(found_.truths, row, {}, &Truth::row) -
                                    found_.truths.begin());
  }

  void read(TxnId t) {
    std::map<TxnId, std::size_t> spoilt_by;
    const auto broken = [&](OpId op, KeyId key) {
      if (has_rows_ && is_of_rows_[key.index()]) found_.keys.push_back(key);
      if (spoilt_by[table_.table().row(key).writer]++ < per_writer_) found_.broken.push_back({op, key});
    };
    table_.run(t, [&](OpId op) {
      if (h_.kind(op) == OpKind::UpdateMaybe) decide(op, broken);
      else table_.each_broken(op, [&](KeyId key, bool) { broken(op, key); });
    });
    if (has_rows_) look_at_values(t);  // its own writes are decided now
  }

  template <class Broken>
  void decide(OpId op, Broken broken) {
    table_.each_invisible(op, [&](KeyId key, bool took, bool fits) {
      const std::size_t i = place({op, key});
      if (!is_decided_[i]) {
        if (!fits) broken(op, key);
        return;
      }
      if (table_.table().row(key).value.is_none()) found_.keys.push_back(key);
      else found_.truths[i].took = took == fits;
    });
    if (!fits_count(h_, op, found_.truths))
      for (const KeyValueId row : h_.rows(op)) found_.keys.push_back(h_.key(row));
  }

  void look_at_writes(TxnId t, std::uint32_t now) {
    for (const OpId op : h_.operations(t))
      each_write(h_, op, found_.truths, [&](KeyId key, KeyValueId) {
        if (!is_of_rows_[key.index()]) return;
        Written& last = written_[key.index()];
        if (last.by != t && last.at > snapshot_[t.index()]) found_.keys.push_back(key);
        last = {t, now};
      });
  }

  // Checks the reads that name the versions they may have returned, of keys with decided rows. The items do
  // not contain those that may have returned the version of such a row.
  void look_at_values(TxnId t) {
    for (const OpId op : h_.operations(t)) {
      switch (h_.kind(op)) {
        case OpKind::Read: look_at(t, h_.key(op), [&](KeyValueId met) { return met == h_.value(op); }); break;
        case OpKind::ReadOneOf:
          look_at(t, h_.key(op),
                  [&](KeyValueId met) { return std::ranges::find(h_.rows(op), met) != h_.rows(op).end(); });
          break;
        case OpKind::Insert:
          look_at(t, h_.key(op), [&](KeyValueId met) { return h_.value(met).is_null(); });
          break;
        case OpKind::Delete:
          if (h_.found(op))
            look_at(t, h_.key(op), [&](KeyValueId met) { return h_.value(met).is_null() != *h_.found(op); });
          break;
        case OpKind::Scan:
        case OpKind::Select:
          for (const KeyValueId row : h_.rows(op))
            look_at(t, h_.key(row), [&](KeyValueId met) { return met == row; });
          break;
        case OpKind::Append:
        case OpKind::ListRead:
          look_at(t, h_.key(op), [](KeyValueId) { return false; });
          break;  // a list is not a row
        case OpKind::Write:
        case OpKind::Update:       // only invisible reads
        case OpKind::UpdateMaybe:  // see decide()
          break;
      }
      each_write(h_, op, found_.truths, [&](KeyId key, KeyValueId value) { own_[key.index()] = {value, t}; });
    }
  }

  template <class Fits>
  void look_at(TxnId t, KeyId key, Fits fits) {
    if (!is_of_rows_[key.index()]) return;
    const KeyValueId met =
        own_[key.index()].writer == t ? own_[key.index()].value : table_.table().row(key).value;
    if (met.is_none() || !fits(met)) found_.keys.push_back(key);
  }

  const History& h_;
  const std::size_t per_writer_;
  const bool has_rows_;
  Replayed found_;
  StatementReplay table_;
  std::vector<bool> is_decided_;  // by outcome: the replay decides it
  std::vector<bool> is_of_rows_;  // by key: has rows that the replay decides
  struct Written {
    TxnId by{};
    std::uint32_t at = 0;
  };
  std::vector<Written> written_;         // by key: its last write; used if writers must not overlap
  std::vector<std::uint32_t> snapshot_;  // by transaction: the position of its snapshot
  std::vector<TableState::Row>
      own_;  // by key: its last write, of any transaction, before the current operation
};

}  // namespace

Replayed replay(const History& h, std::span<const Truth> truths, std::span<const Invisible> rows,
                const Order& order, bool exclusive, std::size_t per_writer, Budget& budget) {
  return Replay(h, truths, rows, per_writer).run(order, exclusive, budget);
}

}  // namespace assay

#include "check/invisible.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "history/matches.h"

namespace assay {
namespace {

bool is_statement(OpKind kind) { return kind == OpKind::Scan || kind == OpKind::Select || kind == OpKind::Update; }

// What a statement ranges over, and what it says of each key.
class Statement {
 public:
  Statement(const History& history, OpId op, std::span<const KeyId> table) : h_(history), op_(op), table_(table) {
    if (h_.kind(op) != OpKind::Scan) test_.emplace(h_, h_.predicate(op));
    else bounds_ = h_.bounds(op);
    for (const KeyValueId row : h_.rows(op)) listed_.push_back(h_.key(row));
    std::ranges::sort(listed_);
  }

  // Calls visit(key, whether it matched) for each key of which it does not say the value.
  template <class Visit>
  void each_invisible(Visit visit) const {
    auto next = listed_.begin();
    for (const KeyId key : table_) {
      while (next != listed_.end() && *next < key) ++next;
      const bool listed = next != listed_.end() && *next == key;
      if (listed && h_.kind(op_) != OpKind::Update) continue;
      if (!test_ && !in_bounds(h_, bounds_, key)) continue;
      visit(key, listed);
    }
  }

  bool matches(KeyId key, KeyValueId value) const {
    return test_ ? (*test_)(key, h_.value(value)) : !h_.value(value).is_null();
  }

 private:
  const History& h_;
  OpId op_;
  std::span<const KeyId> table_;
  std::optional<RowTest> test_;
  KeyBounds bounds_;
  std::vector<KeyId> listed_;
};

std::vector<KeyId> table_of(const History& h) {
  std::vector<KeyId> table;
  for (const KeyId key : h.keys())
    if (!h.is_list(key)) table.push_back(key);
  return table;
}

// Calls write(key, value) for what an operation writes.
template <class Write>
void each_write(const History& h, OpId op, Write write) {
  const OpKind kind = h.kind(op);
  if (kind == OpKind::Update) {
    for (const KeyValueId row : h.rows(op)) write(h.key(row), row);
  } else if (is_item_write(kind) && kind != OpKind::Append) {
    if (kind != OpKind::Delete || h.found(op) != false) write(h.key(op), h.value(op));
  }
}

class Replay {
 public:
  Replay(const History& history, std::size_t per_writer)
      : h_(history), per_writer_(per_writer), table_(table_of(history)), current_(history.key_count()) {
    for (const KeyId key : h_.keys()) current_[key.index()] = {h_.initial_value(key), TxnId::none()};
  }

  std::vector<Invisible> run(const Order& order) {
    const bool snapshots = std::ranges::any_of(order, [](const Point& p) { return !p.commit; });
    for (const Point& p : order) {
      if (!p.commit || !snapshots) read(p.txn);
      if (p.commit)
        for (const OpId op : h_.operations(p.txn))
          each_write(h_, op, [&](KeyId key, KeyValueId value) { current_[key.index()] = {value, p.txn}; });
    }
    std::ranges::sort(broken_);
    return std::move(broken_);
  }

 private:
  struct Version {
    KeyValueId value;
    TxnId writer;
  };

  void read(TxnId t) {
    std::unordered_map<KeyId, KeyValueId> own;
    std::map<TxnId, std::size_t> spoilt_by;
    for (const OpId op : h_.operations(t)) {
      if (is_statement(h_.kind(op))) {
        const Statement statement(h_, op, table_);
        statement.each_invisible([&](KeyId key, bool matched) {
          Version met = current_[key.index()];
          if (!own.empty())
            if (const auto written = own.find(key); written != own.end()) met = {written->second, t};
          if (!met.value.is_none() && statement.matches(key, met.value) == matched) return;
          if (spoilt_by[met.writer]++ < per_writer_) broken_.push_back({op, key});
        });
      }
      each_write(h_, op, [&](KeyId key, KeyValueId value) { own[key] = value; });
    }
  }

  const History& h_;
  const std::size_t per_writer_;
  const std::vector<KeyId> table_;
  std::vector<Version> current_;  // by key
  std::vector<Invisible> broken_;
};

}  // namespace

std::vector<Invisible> broken_invisible_reads(const History& history, const Order& order, std::size_t per_writer) {
  return Replay(history, per_writer).run(order);
}

std::optional<std::vector<Invisible>> all_invisible_reads(const History& h, std::size_t most) {
  const std::vector<KeyId> table = table_of(h);
  std::vector<std::vector<KeyValueId>> values(h.key_count());
  for (std::size_t v = 0; v < h.key_value_count(); ++v) values[h.key(KeyValueId(v)).index()].push_back(KeyValueId(v));
  std::vector<Invisible> all;
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Aborted) continue;
    for (const OpId op : h.operations(t)) {
      if (!is_statement(h.kind(op))) continue;
      const Statement statement(h, op, table);
      statement.each_invisible([&](KeyId key, bool matched) {
        const bool can_break = h.initial_value(key).is_none() || std::ranges::any_of(values[key.index()], [&](KeyValueId v) {
          return statement.matches(key, v) != matched;
        });
        if (can_break && all.size() <= most) all.push_back({op, key});
      });
      if (all.size() > most) return std::nullopt;
    }
  }
  return all;
}

}  // namespace assay

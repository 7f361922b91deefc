#include "oracle/model.h"

#include <algorithm>

#include "history/matches.h"

namespace assay::oracle {
namespace {

Transaction initial_transaction(const History& history) {
  Transaction t;
  for (const KeyId key : history.keys()) {
    // Without an initial state the content is one that no read can have returned.
    const Content content = history.is_list(key) ? Content{} : Content{history.initial_value(key)};
    t.writes.push_back({key.index(), false, content});
  }
  return t;
}

Write* find_write(Transaction& t, Key key) {
  const auto found = std::ranges::find(t.writes, key, &Write::key);
  return found == t.writes.end() ? nullptr : &*found;
}

void add_write(Transaction& t, Key key, bool appends, KeyValueId value) {
  Write* write = find_write(t, key);
  if (!write) write = &t.writes.emplace_back(Write{key, appends, {}});
  if (!appends) write->content.clear();
  write->content.push_back(value);
}

// Reads of registers and rows: own writes decide, or some version with a content that is accepted.
void add_read(Transaction& t, std::size_t operation, Key key, std::vector<Content> accepted) {
  Read read{.key = key, .accepted = std::move(accepted), .operation = operation};
  if (const Write* own = find_write(t, key)) t.sees_own_writes &= read.accepts(own->content);
  else t.reads.push_back(std::move(read));
}

void add_list_read(Transaction& t, std::size_t operation, Key key, Content content) {
  const Write* own = find_write(t, key);
  if (own) {
    const std::size_t tail = own->content.size();
    if (content.size() < tail || !std::equal(own->content.begin(), own->content.end(),
                                             content.end() - static_cast<std::ptrdiff_t>(tail))) {
      t.sees_own_writes = false;
      return;
    }
    content.resize(content.size() - tail);
  }
  t.reads.push_back({key, {std::move(content)}, own != nullptr, operation});
}

// Reduces the operations of one transaction, in program order.
class Reduction {
 public:
  Reduction(const History& history, const Changes& changes) : h_(history), changes_(changes) {}

  Transaction transaction(TxnId id) {
    t_.outcome = h_.outcome(id);
    t_.instants = h_.instants(id);
    for (const OpId op : h_.operations(id)) {
      ++number_;
      operation(op);
    }
    return std::move(t_);
  }

 private:
  void operation(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Read: return add_read(t_, number_, h_.key(op).index(), {{h_.value(op)}});
      case OpKind::Write: return add_write(t_, h_.key(op).index(), false, h_.value(op));
      case OpKind::Append: return add_write(t_, h_.key(op).index(), true, h_.value(op));
      case OpKind::ListRead:
        return add_list_read(t_, number_, h_.key(op).index(), {h_.rows(op).begin(), h_.rows(op).end()});
      case OpKind::Insert:
        read(h_.key(op), [](Scalar value) { return value.is_null(); });
        return add_write(t_, h_.key(op).index(), false, h_.value(op));
      case OpKind::Delete: return remove(op);
      case OpKind::Scan: return scan(op);
      case OpKind::Select: return select(op);
      case OpKind::Update: return update(op);
      case OpKind::UpdateMaybe: return update_maybe(op);
    }
  }

  void remove(OpId op) {
    const auto found = h_.found(op);
    if (found) read(h_.key(op), [&](Scalar value) { return value.is_null() != *found; });
    if (found.value_or(true)) add_write(t_, h_.key(op).index(), false, h_.value(op));
  }

  void scan(OpId op) {
    for (const KeyId key : table())
      if (in_bounds(h_, h_.bounds(op), key))
        returned_or(op, key, [](Scalar value) { return value.is_null(); });
  }

  void select(OpId op) {
    const RowTest matches(h_, h_.predicate(op));
    for (const KeyId key : table()) returned_or(op, key, [&](Scalar value) { return !matches(key, value); });
  }

  void update(OpId op) {
    const RowTest matches(h_, h_.predicate(op));
    for (const KeyId key : table()) {
      const bool changed = row(op, key).has_value();
      read(key, [&](Scalar value) { return matches(key, value) == changed; });
    }
    for (const KeyValueId row : h_.rows(op)) add_write(t_, h_.key(row).index(), false, row);
  }

  void update_maybe(OpId op) {
    const RowTest matches(h_, h_.predicate(op));
    std::size_t count = 0;
    for (const KeyValueId row : h_.rows(op)) {
      const KeyId key = h_.key(row);
      const bool changed = changes_.contains({op, key});
      read(key, [&](Scalar value) { return matches(key, value) == changed; });
      if (changed) add_write(t_, key.index(), false, row);
      count += changed;
    }
    t_.sees_own_writes &= h_.count(op).value_or(count) == count;
  }

  std::vector<KeyId> table() const {
    std::vector<KeyId> keys;
    for (const KeyId key : h_.keys())
      if (!h_.is_list(key)) keys.push_back(key);
    return keys;
  }

  std::optional<KeyValueId> row(OpId op, KeyId key) const {
    for (const KeyValueId row : h_.rows(op))
      if (h_.key(row) == key) return row;
    return std::nullopt;
  }

  void returned_or(OpId op, KeyId key, const std::function<bool(Scalar)>& accept) {
    if (const auto returned = row(op, key)) add_read(t_, number_, key.index(), {{*returned}});
    else read(key, accept);
  }

  void read(KeyId key, const std::function<bool(Scalar)>& accept) {
    std::vector<Content> accepted;
    for (std::size_t i = 0; i < h_.key_value_count(); ++i)
      if (const KeyValueId kv(i); h_.key(kv) == key && accept(h_.value(kv))) accepted.push_back({kv});
    add_read(t_, number_, key.index(), std::move(accepted));
  }

  const History& h_;
  const Changes& changes_;
  Transaction t_;
  std::size_t number_ = 0;  // of the operation at hand
};

}  // namespace

Model::Model(const History& history, const Changes& changes) : key_count(history.key_count()) {
  transactions.push_back(initial_transaction(history));
  for (const SessionId session : history.sessions()) {
    TxnSet before = TxnSet::of(kInitial);
    for (const TxnId id : history.transactions(session)) {
      const Outcome outcome = history.outcome(id);
      if (outcome == Outcome::Aborted) continue;
      const Txn t = transactions.size();
      ASSAY_REQUIRE(t < TxnSet::kCapacity);
      transactions.push_back(Reduction(history, changes).transaction(id));
      transactions[t].session_predecessors = before;
      (outcome == Outcome::Committed ? committed : unknown) |= TxnSet::of(t);
      // The commit of an unknown transaction may land after the client went on.
      if (outcome == Outcome::Committed) before |= TxnSet::of(t);
    }
  }
  writers.resize(key_count);
  for (Txn t = 0; t < transactions.size(); ++t)
    for (const Write& write : transactions[t].writes) writers[write.key] |= TxnSet::of(t);
  for (Txn t = 0; t < transactions.size(); ++t) {
    TxnSet others;
    for (const Write& write : transactions[t].writes) others |= writers[write.key];
    shares_a_key.push_back(others - TxnSet::of(t));
  }
}

std::vector<Model> completions(const History& history) {
  std::vector<std::pair<OpId, KeyId>> open;
  for (const TxnId t : history.transactions())
    for (const OpId op : history.operations(t))
      if (history.outcome(t) != Outcome::Aborted && history.kind(op) == OpKind::UpdateMaybe)
        for (const KeyValueId row : history.rows(op)) open.emplace_back(op, history.key(row));
  ASSAY_REQUIRE(open.size() < 20);
  std::vector<Model> models;
  for (std::uint32_t choice = 0; choice < std::uint32_t{1} << open.size(); ++choice) {
    Changes changes;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (choice >> i & 1) changes.insert(open[i]);
    models.emplace_back(history, changes);
  }
  return models;
}

bool some_completion(const History& history, const std::function<bool(const Model&)>& holds) {
  return std::ranges::any_of(completions(history), holds);
}

Content after(const Write& write, const Content& before) {
  if (!write.appends) return write.content;
  Content content = before;
  content.insert(content.end(), write.content.begin(), write.content.end());
  return content;
}

bool some_outcome(const Model& model, const std::function<bool(TxnSet counting)>& holds) {
  const auto wrong = [&](TxnSet set) {
    return std::ranges::any_of(set, [&](Txn t) { return !model.transactions[t].sees_own_writes; });
  };
  if (wrong(model.committed)) return false;
  std::vector<Txn> unknown(model.unknown.begin(), model.unknown.end());
  for (std::uint32_t choice = 0; choice < std::uint32_t{1} << unknown.size(); ++choice) {
    TxnSet chosen;
    for (std::size_t i = 0; i < unknown.size(); ++i)
      if (choice >> i & 1) chosen |= TxnSet::of(unknown[i]);
    if (!wrong(chosen) && holds(model.committed | chosen)) return true;
  }
  return false;
}

}  // namespace assay::oracle

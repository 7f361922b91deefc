#include "oracle/model.h"

#include <algorithm>

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

void add_read(Transaction& t, Key key, Content content) {
  const Write* own = find_write(t, key);
  if (own && !own->appends) {
    t.sees_own_writes &= content == own->content;
    return;
  }
  if (own) {
    const std::size_t tail = own->content.size();
    if (content.size() < tail || !std::equal(own->content.begin(), own->content.end(),
                                             content.end() - static_cast<std::ptrdiff_t>(tail))) {
      t.sees_own_writes = false;
      return;
    }
    content.resize(content.size() - tail);
  }
  for (const Read& earlier : t.reads)
    if (earlier.key == key) t.repeatable &= earlier.content == content;
  t.reads.push_back({key, std::move(content), own != nullptr});
}

Transaction transaction(const History& history, TxnId id) {
  Transaction t;
  t.outcome = history.outcome(id);
  t.instants = history.instants(id);
  for (const OpId op : history.operations(id)) {
    const OpKind kind = history.kind(op);
    const bool known =
        kind == OpKind::Read || kind == OpKind::Write || kind == OpKind::Append || kind == OpKind::ListRead;
    ASSAY_REQUIRE(known);
    const Key key = history.key(op).index();
    if (kind == OpKind::Read) add_read(t, key, {history.value(op)});
    else if (kind == OpKind::ListRead) add_read(t, key, {history.rows(op).begin(), history.rows(op).end()});
    else add_write(t, key, kind == OpKind::Append, history.value(op));
  }
  return t;
}

}  // namespace

Model::Model(const History& history) : key_count(history.key_count()) {
  transactions.push_back(initial_transaction(history));
  for (const SessionId session : history.sessions()) {
    TxnSet before = TxnSet::of(kInitial);
    for (const TxnId id : history.transactions(session)) {
      const Outcome outcome = history.outcome(id);
      if (outcome == Outcome::Aborted) continue;
      const Txn t = transactions.size();
      ASSAY_REQUIRE(t < TxnSet::kCapacity);
      transactions.push_back(transaction(history, id));
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

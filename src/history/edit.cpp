#include "history/edit.h"

#include <algorithm>
#include <set>
#include <span>

#include "history/builder.h"

namespace assay {
namespace {

// Copies parts of one history into the builder of another.
class Copier {
 public:
  Copier(const History& from, HistoryBuilder& to) : from_(from), to_(to) {}

  Scalar scalar(Scalar s) { return to_.pool().import(s, from_.pool()); }
  KeyId key(KeyId k) { return to_.key(scalar(from_.name(k))); }

  void operation(OpId op) {
    const OpId statement = from_.statement(op);
    if (to_.pending_operations() > 0 && statement == last_statement_) to_.same_statement();
    last_statement_ = statement;
    switch (from_.kind(op)) {
      case OpKind::Read: return to_.read(key(from_.key(op)), value(op));
      case OpKind::Write: return to_.write(key(from_.key(op)), value(op));
      case OpKind::Append: return to_.append(key(from_.key(op)), value(op));
      case OpKind::Insert: return to_.insert(key(from_.key(op)), value(op));
      case OpKind::Delete: return to_.remove(key(from_.key(op)), from_.found(op));
      case OpKind::ListRead: return list_read(op, [](KeyValueId) { return true; });
      case OpKind::ReadOneOf: return read_one_of(op);
      case OpKind::Scan: {
        const KeyBounds bounds = from_.bounds(op);
        return to_.scan({scalar(bounds.low), scalar(bounds.high)}, rows(op));
      }
      case OpKind::Select: return to_.select(predicate(op), rows(op));
      case OpKind::Update: return to_.update(predicate(op), rows(op));
      case OpKind::UpdateMaybe: return to_.update_maybe(predicate(op), rows(op), from_.count(op));
    }
  }

  std::optional<Scalar> name(TxnId t) {
    const auto name = from_.name(t);
    return name ? std::optional(scalar(*name)) : std::nullopt;
  }

  void finish(TxnId t, std::optional<Scalar> name) {
    finish(t, name, to_.session(scalar(from_.name(from_.session(t)))));
  }
  void finish(TxnId t, std::optional<Scalar> name, SessionId session) {
    const auto finished = to_.finish(
        {.session = session, .name = name, .outcome = from_.outcome(t), .instants = from_.instants(t)});
    ASSAY_REQUIRE(finished.has_value());  // since the source is a valid history
  }

  template <class Keep>
  void list_read(OpId op, const Keep& keep) {
    std::vector<Scalar> elements;
    for (const KeyValueId kv : from_.rows(op))
      if (keep(kv)) elements.push_back(scalar(from_.value(kv)));
    to_.list_read(key(from_.key(op)), elements);
  }

  // The properties of the history as a whole.
  void description() {
    to_.set_note(from_.note());
    to_.set_instant_kind(from_.instant_kind());
    to_.set_instants_reason(from_.instants_reason());
  }

  // `only_used`: only the initial values of keys that the copy already has.
  void initial_values(bool only_used = false) {
    const auto fallback = from_.default_initial();
    to_.set_initial(fallback ? std::optional(scalar(*fallback)) : std::nullopt);
    for (const KeyId k : from_.keys()) {
      const KeyValueId initial = from_.initial_value(k);
      if (initial.is_none() || (fallback && from_.value(initial) == *fallback)) continue;
      if (!only_used || to_.has_key(scalar(from_.name(k))))
        to_.set_initial(key(k), scalar(from_.value(initial)));
    }
  }

 private:
  Scalar value(OpId op) { return scalar(from_.value(from_.value(op))); }

  std::vector<KeyAndValue> rows(OpId op) {
    std::vector<KeyAndValue> rows;
    for (const KeyValueId kv : from_.rows(op)) rows.push_back({key(from_.key(kv)), scalar(from_.value(kv))});
    return rows;
  }

  std::vector<PredicateNode> predicate(OpId op) {
    std::vector<PredicateNode> nodes;
    for (PredicateNode node : from_.predicate(op)) {
      node.scalar = scalar(node.scalar);
      nodes.push_back(node);
    }
    return nodes;
  }

  void read_one_of(OpId op) {
    std::vector<Scalar> values;
    for (const KeyValueId kv : from_.rows(op)) values.push_back(scalar(from_.value(kv)));
    const KeyBounds bounds = from_.bounds(op);
    to_.read_one_of(key(from_.key(op)), values, from_.matched(op), predicate(op),
                    {scalar(bounds.low), scalar(bounds.high)});
  }

  const History& from_;
  HistoryBuilder& to_;
  OpId last_statement_;
};

// Copies a transaction, except the operations that `replaced` has handled.
template <class Replaced>
void copy_transaction(const History& history, TxnId t, Copier& copy, Replaced replaced) {
  for (const OpId op : history.operations(t))
    if (!replaced(op)) copy.operation(op);
  copy.finish(t, copy.name(t));
}

History built(HistoryBuilder&& builder) {
  auto result = std::move(builder).build();
  ASSAY_REQUIRE(result.has_value());
  return std::move(result).value();
}

// The elements in kept list reads that were appended, but by no kept operation.
std::set<KeyValueId> elements_lost(const History& h, std::span<const OpId> kept) {
  std::set<KeyValueId> shown, lost;
  for (const OpId op : kept)
    if (h.kind(op) == OpKind::ListRead) shown.insert(h.rows(op).begin(), h.rows(op).end());
  if (shown.empty()) return lost;
  for (const OpId op : h.operations())
    if (h.kind(op) == OpKind::Append && shown.contains(h.value(op))) lost.insert(h.value(op));
  for (const OpId op : kept)
    if (h.kind(op) == OpKind::Append) lost.erase(h.value(op));
  return lost;
}

bool is_initial(const History& h, OpId op) { return h.value(op) == h.initial_value(h.key(op)); }

}  // namespace

std::optional<History> with_initial(const History& history, Scalar initial) {
  for (const OpId op : history.operations()) {
    const OpKind kind = history.kind(op);
    if (kind == OpKind::Append || kind == OpKind::ListRead) continue;
    if (kind != OpKind::Read && kind != OpKind::Write) return std::nullopt;
    const bool says_initial = history.value(history.value(op)) == initial;
    if (is_initial(history, op) ? kind == OpKind::Write : says_initial) return std::nullopt;
  }
  HistoryBuilder builder;
  Copier copy(history, builder);
  copy.description();
  for (const SessionId s : history.sessions()) builder.session(copy.scalar(history.name(s)));
  for (const TxnId t : history.transactions())
    copy_transaction(history, t, copy, [&](OpId op) {
      if (history.kind(op) != OpKind::Read || !is_initial(history, op)) return false;
      builder.read(copy.key(history.key(op)), initial);
      return true;
    });
  builder.set_initial(initial);
  return built(std::move(builder));
}

History restrict(const History& history, const std::function<bool(TxnId)>& keep_transaction,
                 const std::function<bool(OpId)>& keep_operation) {
  HistoryBuilder builder;
  Copier copy(history, builder);
  copy.description();
  for (const TxnId t : history.transactions())
    if (keep_transaction(t)) copy_transaction(history, t, copy, [&](OpId op) { return !keep_operation(op); });
  copy.initial_values();
  return built(std::move(builder));
}

History restrict(const History& history, const Selection& selection) {
  const std::set<KeyValueId> lost = elements_lost(history, selection.operations);
  HistoryBuilder builder;
  Copier copy(history, builder);
  copy.description();
  auto next = selection.operations.begin();
  for (const TxnId t : selection.transactions) {
    const auto last = std::ranges::lower_bound(next, selection.operations.end(), history.operations(t).last);
    for (const OpId op : std::span(next, last))
      if (history.kind(op) == OpKind::ListRead)
        copy.list_read(op, [&](KeyValueId kv) { return !lost.contains(kv); });
      else copy.operation(op);
    copy.finish(t, copy.name(t));
    next = last;
  }
  copy.initial_values(true);
  return built(std::move(builder));
}

History with_names(const History& history, const std::function<std::string(TxnId)>& name) {
  HistoryBuilder builder;
  Copier copy(history, builder);
  copy.description();
  std::set<std::string> taken;
  for (const TxnId t : history.transactions())
    if (history.name(t)) taken.insert(history.display(t));
  for (const TxnId t : history.transactions()) {
    for (const OpId op : history.operations(t)) copy.operation(op);
    const bool is_new = !history.name(t) && taken.insert(name(t)).second;
    copy.finish(t, is_new ? std::optional(builder.pool().string(name(t))) : copy.name(t));
  }
  copy.initial_values();
  return built(std::move(builder));
}

History without_sessions(const History& history) {
  HistoryBuilder builder;
  Copier copy(history, builder);
  copy.description();
  for (const TxnId t : history.transactions()) {
    for (const OpId op : history.operations(t)) copy.operation(op);
    copy.finish(t, copy.name(t), builder.new_session());
  }
  copy.initial_values();
  return built(std::move(builder));
}

}  // namespace assay

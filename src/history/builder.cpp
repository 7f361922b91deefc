#include "history/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/hash.h"

namespace assay {
namespace {

constexpr std::size_t kMost = UINT32_MAX - 1;  // of anything that has an Id
constexpr std::uint64_t kSmallInteger = std::uint64_t{1} << 20;

std::uint64_t hash_scalar(Scalar s) { return mix(s.bits, static_cast<std::uint64_t>(s.kind)); }

std::uint64_t hash_key_value(KeyId key, Scalar value) {
  return mix(value.bits ^ static_cast<std::uint64_t>(value.kind) << 56, key.value);
}

Error too_many(std::string_view things) {
  return error(fmt::format("more than {} {}", kMost, things), "split the history");
}

}  // namespace

HistoryBuilder::HistoryBuilder() { history_.txn_ops_.push_back(0); }

SessionId HistoryBuilder::session(Scalar name) {
  auto& names = history_.session_name_;
  const auto next = static_cast<std::uint32_t>(names.size());
  const auto found = session_index_.find_or_insert(hash_scalar(name), next,
                                                   [&](std::uint32_t i) { return names[i] == name; });
  if (found == next) {
    names.push_back(name);
    session_size_.push_back(0);
  }
  return SessionId(found);
}

SessionId HistoryBuilder::new_session() {
  return session(Scalar::integer(static_cast<std::int64_t>(history_.session_count()) + 1));
}

KeyId HistoryBuilder::key(Scalar name) {
  ASSAY_REQUIRE(name.is_integer() || name.is_string());
  const bool small = name.is_integer() && name.bits < kSmallInteger;
  if (small && name.bits < small_integer_keys_.size() && !small_integer_keys_[name.bits].is_none())
    return small_integer_keys_[name.bits];

  auto& names = history_.key_name_;
  const auto next = static_cast<std::uint32_t>(names.size());
  const auto found =
      key_index_.find_or_insert(hash_scalar(name), next, [&](std::uint32_t i) { return names[i] == name; });
  if (found == next) {
    names.push_back(name);
    key_use_.push_back(KeyUse::None);
    if (names.size() > kMost) note_problem(too_many("keys"));
  }
  if (small) {
    if (small_integer_keys_.size() <= name.bits) small_integer_keys_.resize(std::bit_ceil(name.bits + 1));
    small_integer_keys_[name.bits] = KeyId(found);
  }
  return KeyId(found);
}

bool HistoryBuilder::has_key(Scalar name) const {
  return key_index_.find(hash_scalar(name), [&](std::uint32_t i) { return history_.key_name_[i] == name; }) !=
         UINT32_MAX;
}

KeyValueId HistoryBuilder::key_value(KeyId key, Scalar value) {
  return key_value(key, value, hash_key_value(key, value));
}

KeyValueId HistoryBuilder::key_value(KeyId key, Scalar value, std::uint64_t hash) {
  auto& all = history_.key_values_;
  const auto next = static_cast<std::uint32_t>(all.size());
  const auto found =
      kv_index_.find_or_insert(hash, next, [&](std::uint32_t i) { return all[i].is(key, value); });
  if (found == next) {
    all.push_back({value.bits, key, value.kind});
    if (all.size() > kMost) note_problem(too_many("distinct values"));
  }
  return KeyValueId(found);
}

void HistoryBuilder::settle() {
  for (const Waiting& w : waiting_)
    history_.op_argument_[w.operation] = key_value(w.key, w.value, w.hash).value;
  waiting_.clear();
}

void HistoryBuilder::push_operation(OpKind kind, KeyId key, std::size_t argument) {
  history_.op_kind_.push_back(kind);
  history_.op_key_.push_back(key.value);
  history_.op_argument_.push_back(static_cast<std::uint32_t>(argument));
  if (history_.op_kind_.size() > kMost) note_problem(too_many("operations"));
}

void HistoryBuilder::use(KeyId key, KeyUse use) {
  KeyUse& known = key_use_[key.index()];
  if (known == KeyUse::None) known = use;
  if (known != use)
    note_problem(error(fmt::format("key {} is used both as a list and as a register", history_.display(key)),
                       "rename one of them"));
}

void HistoryBuilder::simple(OpKind kind, KeyId key, Scalar value) {
  use(key, kind == OpKind::Append ? KeyUse::List : KeyUse::Register);
  if (kind != OpKind::Read && kind != OpKind::Delete && value.is_null())
    note_problem(error(fmt::format("null is written to key {}", history_.display(key)),
                       "null means no version: use a delete, or another value"));
  const std::uint64_t hash = hash_key_value(key, value);
  kv_index_.prefetch(hash);
  waiting_.push_back({hash, value, key, static_cast<std::uint32_t>(history_.operation_count())});
  push_operation(kind, key, 0);
}

void HistoryBuilder::remove(KeyId key, std::optional<bool> found) {
  if (found)
    (*found ? history_.deletes_found_ : history_.deletes_not_found_)
        .push_back(static_cast<std::uint32_t>(history_.operation_count()));
  simple(OpKind::Delete, key, Scalar::null());
}

void HistoryBuilder::compound(OpKind kind, KeyId key, std::span<const KeyAndValue> rows, Predicate predicate,
                              KeyBounds bounds, std::optional<std::uint64_t> count) {
  History& h = history_;
  History::Compound c{};
  c.rows_begin = h.rows_.size();
  for (const KeyAndValue& row : rows) {
    use(row.key, kind == OpKind::ListRead ? KeyUse::List : KeyUse::Register);
    if (row.value.is_null())
      note_problem(error(fmt::format("null is among the values of key {}", h.display(row.key)),
                         "null means no version: leave it out"));
    h.rows_.push_back(key_value(row.key, row.value));
  }
  c.rows_end = h.rows_.size();
  c.predicate_begin = h.predicate_nodes_.size();
  h.predicate_nodes_.insert(h.predicate_nodes_.end(), predicate.begin(), predicate.end());
  c.predicate_end = h.predicate_nodes_.size();
  c.count = count.value_or(UINT64_MAX);
  c.bounds = bounds;
  if (h.compounds_.size() >= kMost) note_problem(too_many("operations"));
  push_operation(kind, key, h.compounds_.size());
  h.compounds_.push_back(c);
}

void HistoryBuilder::list_read(KeyId key, std::span<const Scalar> elements) {
  use(key, KeyUse::List);
  list_rows_.clear();
  for (const Scalar element : elements) list_rows_.push_back({key, element});
  compound(OpKind::ListRead, key, list_rows_, {}, {}, std::nullopt);
}

void HistoryBuilder::read_nothing(KeyId key) {
  reads_of_nothing_.push_back(static_cast<std::uint32_t>(history_.operation_count()));
  push_operation(OpKind::Read, key, 0);
}

void HistoryBuilder::scan(KeyBounds bounds, std::span<const KeyAndValue> rows) {
  const ScalarKind kind = bounds.low.kind;
  bool mixed = bounds.high.kind != kind || (kind != ScalarKind::Integer && kind != ScalarKind::String);
  for (const KeyAndValue& row : rows) mixed |= history_.name(row.key).kind != kind;
  if (mixed)
    note_problem(error("a scan over mixed key types", "bounds and keys must be all integers or all strings"));
  compound(OpKind::Scan, KeyId::none(), rows, {}, bounds, std::nullopt);
}

void HistoryBuilder::select(Predicate predicate, std::span<const KeyAndValue> rows) {
  ASSAY_REQUIRE(is_predicate(predicate));
  compound(OpKind::Select, KeyId::none(), rows, predicate, {}, std::nullopt);
}

void HistoryBuilder::update(Predicate predicate, std::span<const KeyAndValue> rows) {
  ASSAY_REQUIRE(is_predicate(predicate));
  compound(OpKind::Update, KeyId::none(), rows, predicate, {}, std::nullopt);
}

void HistoryBuilder::update_maybe(Predicate predicate, std::span<const KeyAndValue> rows,
                                  std::optional<std::uint64_t> count) {
  ASSAY_REQUIRE(is_predicate(predicate));
  if (count && *count > rows.size())
    note_problem(error(fmt::format("update-maybe says it changed {} rows but lists {}", *count, rows.size())));
  compound(OpKind::UpdateMaybe, KeyId::none(), rows, predicate, {}, count);
}

void HistoryBuilder::note_problem(Error problem) {
  if (!problem_) problem_ = std::move(problem);
}

std::size_t HistoryBuilder::pending_operations() const {
  return history_.operation_count() - history_.txn_ops_.back();
}

void HistoryBuilder::abandon() {
  const std::uint32_t begin = history_.txn_ops_.back();
  history_.op_kind_.resize(begin);
  history_.op_key_.resize(begin);
  history_.op_argument_.resize(begin);
  for (auto* noted : {&history_.deletes_found_, &history_.deletes_not_found_, &reads_of_nothing_})
    while (!noted->empty() && noted->back() >= begin) noted->pop_back();
  waiting_.clear();
  problem_.reset();
}

Result<void> HistoryBuilder::check(const TransactionHead& head) {
  if (problem_) return *std::exchange(problem_, std::nullopt);
  if (history_.transaction_count() >= kMost) return too_many("transactions");

  const Instants& at = head.instants;
  std::optional<std::int64_t> latest;
  for (const auto& instant : {at.begin, at.began, at.committing, at.end}) {
    if (!instant) continue;
    if (*instant == History::kNoInstant) return error("an instant is out of range");
    if (latest && *instant < *latest)
      return error("the instants of a transaction go backwards", "begin <= began <= committing <= end");
    latest = instant;
  }
  if (head.name) {
    auto& names = history_.txn_name_;
    names.resize(history_.transaction_count());
    const auto next = static_cast<std::uint32_t>(names.size());
    const auto found = txn_name_index_.find_or_insert(
        hash_scalar(*head.name), next, [&](std::uint32_t i) { return names[i] == *head.name; });
    names_repeat_ |= found != next;
    if (found != next && !names_may_repeat_)
      return error(fmt::format("transaction id {} is used twice", history_.display(*head.name)),
                   "ids must be unique in the history");
  }
  return {};
}

Result<void> HistoryBuilder::finish(const TransactionHead& head) {
  ASSAY_REQUIRE(head.session.index() < history_.session_count());
  settle();
  ASSAY_TRY(check(head));

  History& h = history_;
  if (head.name) h.txn_name_.push_back(*head.name);
  else if (!h.txn_name_.empty()) h.txn_name_.push_back(Scalar::null());

  if (head.instants.any() && h.txn_instants_.empty())
    h.txn_instants_.assign(h.transaction_count(), {History::kNoInstant, History::kNoInstant,
                                                   History::kNoInstant, History::kNoInstant});
  if (head.instants.any() || !h.txn_instants_.empty()) {
    const Instants& at = head.instants;
    h.txn_instants_.push_back({at.begin.value_or(History::kNoInstant), at.began.value_or(History::kNoInstant),
                               at.committing.value_or(History::kNoInstant),
                               at.end.value_or(History::kNoInstant)});
  }
  h.txn_session_.push_back(head.session);
  h.txn_position_.push_back(session_size_[head.session.index()]++);
  h.txn_outcome_.push_back(head.outcome);
  h.txn_ops_.push_back(static_cast<std::uint32_t>(h.operation_count()));
  return {};
}

void HistoryBuilder::set_initial(KeyId key, Scalar value) { initial_exceptions_.emplace_back(key, value); }

void HistoryBuilder::decide_reads_of_nothing() {
  const bool any_list = std::ranges::find(key_use_, KeyUse::List) != key_use_.end();
  std::optional<std::size_t> empty;  // one compound serves them all
  for (const std::uint32_t op : reads_of_nothing_) {
    const KeyId key(history_.op_key_[op]);
    KeyUse& use = key_use_[key.index()];
    if (use == KeyUse::None) use = any_list ? KeyUse::List : KeyUse::Register;
    if (use == KeyUse::List) {
      if (!empty) {
        empty = history_.compounds_.size();
        history_.compounds_.push_back({});
      }
      history_.op_kind_[op] = OpKind::ListRead;
      history_.op_argument_[op] = static_cast<std::uint32_t>(*empty);
    } else {
      history_.op_argument_[op] = key_value(key, Scalar::null()).value;
    }
  }
}

void HistoryBuilder::make_unwritten_initial() {
  History& h = history_;
  const auto may_be_initial = [&](Scalar value) {
    return !only_initial_ || value == *only_initial_ || value.is_null();
  };
  std::vector<bool> written(h.key_value_count());
  for (const OpId op : h.operations()) {
    const OpKind kind = h.kind(op);
    if (is_item_write(kind)) written[h.value(op).index()] = true;
    else if (kind == OpKind::Update || kind == OpKind::UpdateMaybe)
      for (const KeyValueId kv : h.rows(op)) written[kv.index()] = true;
  }
  // A key may have been read with several values that nobody wrote; all of them mean the same state.
  std::vector<KeyValueId> stands_for(h.key_value_count());
  std::vector<KeyValueId> initial(h.key_count());
  for (std::size_t i = 0; i < h.key_value_count(); ++i) {
    KeyValueId& first = initial[h.key_values_[i].key.index()];
    stands_for[i] = KeyValueId(i);
    if (written[i] || !may_be_initial(h.value(KeyValueId(i)))) continue;
    if (first.is_none()) first = KeyValueId(i);
    stands_for[i] = first;
  }
  for (const OpId op : h.operations())
    if (is_one_key(h.kind(op)) && h.kind(op) != OpKind::ListRead) {
      auto& argument = h.op_argument_[op.index()];
      argument = stands_for[argument].value;
    }
  for (KeyValueId& row : h.rows_) row = stands_for[row.index()];
  for (const KeyId key : h.keys())
    if (!initial[key.index()].is_none()) set_initial(key, h.value(initial[key.index()]));
}

Result<History> HistoryBuilder::build() && {
  ASSAY_REQUIRE(pending_operations() == 0);
  if (names_repeat_) history_.txn_name_.clear();
  decide_reads_of_nothing();
  if (unwritten_is_initial_) make_unwritten_initial();
  History& h = history_;

  h.session_begin_.assign(h.session_count() + 1, 0);
  for (std::size_t s = 0; s < h.session_count(); ++s)
    h.session_begin_[s + 1] = h.session_begin_[s] + session_size_[s];
  h.session_txns_.resize(h.transaction_count());
  for (const TxnId t : h.transactions())
    h.session_txns_[h.session_begin_[h.session(t).index()] + h.position(t)] = t;

  h.key_is_list_.resize(h.key_count());
  h.key_initial_.resize(h.key_count());
  for (const KeyId key : h.keys()) {
    const bool list = key_use_[key.index()] == KeyUse::List;
    h.key_is_list_[key.index()] = list;
    if (!list && h.default_initial_) h.key_initial_[key.index()] = key_value(key, *h.default_initial_);
  }
  for (const auto& [key, value] : initial_exceptions_) {
    if (h.is_list(key))
      return error(fmt::format("key {} is a list and has an initial value", h.display(key)),
                   "lists start empty");
    h.key_initial_[key.index()] = key_value(key, value);
  }
  if (problem_) return *problem_;
  for (auto* column : {&h.txn_position_, &h.txn_ops_, &h.op_key_, &h.op_argument_}) column->shrink_to_fit();
  h.op_kind_.shrink_to_fit();
  h.key_values_.shrink_to_fit();
  return std::move(history_);
}

}  // namespace assay

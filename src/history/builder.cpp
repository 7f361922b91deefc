#include "history/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/hash.h"

namespace assay {
namespace {

constexpr std::size_t kMost = UINT32_MAX - 1;  // the most things that an Id can number
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

HistoryBuilder HistoryBuilder::like(const History& other) {
  HistoryBuilder b;
  History& h = b.history_;
  h.session_name_ = other.session_name_;
  h.key_name_ = other.key_name_;
  h.key_is_list_ = other.key_is_list_;
  h.key_initial_ = other.key_initial_;
  h.default_initial_ = other.default_initial_;
  h.values_ = other.values_;
  h.key_values_ = other.key_values_;
  h.note_ = other.note_;
  h.instant_kind_ = other.instant_kind_;
  h.instants_reason_ = other.instants_reason_;
  h.remarks_ = other.remarks_;
  b.session_size_.resize(h.session_count());
  b.is_numbered_ = true;
  return b;
}

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

KeyId HistoryBuilder::find_or_add_key(Scalar name) {
  ASSAY_REQUIRE(name.is_integer() || name.is_string());
  auto& names = history_.key_name_;
  const auto next = static_cast<std::uint32_t>(names.size());
  const auto found =
      key_index_.find_or_insert(hash_scalar(name), next, [&](std::uint32_t i) { return names[i] == name; });
  if (found == next) {
    names.push_back(name);
    key_use_.push_back(KeyUse::None);
    if (names.size() > kMost) note_problem(too_many("keys"));
  }
  if (name.is_integer() && name.bits < kSmallInteger) {
    if (small_integer_keys_.size() <= name.bits) small_integer_keys_.resize(std::bit_ceil(name.bits + 1));
    small_integer_keys_[name.bits] = KeyId(found);
  }
  return KeyId(found);
}

bool HistoryBuilder::has_key(Scalar name) const {
  return key_index_.find(hash_scalar(name), [&](std::uint32_t i) { return history_.key_name_[i] == name; }) !=
         UINT32_MAX;
}

void HistoryBuilder::first_use(KeyId key, KeyUse use) {
  KeyUse& known = key_use_[key.index()];
  if (known == KeyUse::None) known = use;
  if (known != use)
    note_problem(error(fmt::format("key {} is used both as a list and as a register", history_.display(key)),
                       "rename one of them"));
}

void HistoryBuilder::note_null_written(KeyId key) {
  note_problem(error(fmt::format("null is written to key {}", history_.display(key)),
                     "null means no version: use a delete, or another value"));
}

// Nearly every row of columns belongs to one key only. Under the first key that has it, it is found without
// hashing.
KeyValueId HistoryBuilder::row_value(KeyId key, Scalar value) {
  const KeyValue sought{value.bits, key, value.kind};
  const auto next = static_cast<std::uint32_t>(row_values_.size());
  const auto find = [&] {
    if (value.kind == ScalarKind::Row) {
      while (first_of_row_.size() <= value.bits) first_of_row_.push_back({});
      FirstOfRow& first = first_of_row_[value.bits];
      if (first.key.is_none()) first = {key, KeyValueId(next)};
      if (first.key == key) return first.value.value;
    }
    return row_value_index_.find_or_insert(hash_key_value(key, value), next,
                                           [&](std::uint32_t i) { return row_values_[i] == sought; });
  };
  const std::uint32_t found = find();
  if (found == next) {
    row_values_.push_back(sought);
    if (row_values_.size() > kMost) note_problem(too_many("distinct values"));
  }
  return KeyValueId(found);
}

std::uint32_t HistoryBuilder::next_operation() const {
  return static_cast<std::uint32_t>(history_.operation_count() + pending_.size());
}

void HistoryBuilder::remove(KeyId key, std::optional<bool> found) {
  if (found) (*found ? history_.deletes_found_ : history_.deletes_not_found_).push_back(next_operation());
  simple(OpKind::Delete, key, Scalar::null());
}

void HistoryBuilder::compound(OpKind kind, KeyId key, std::span<const KeyAndValue> rows, Predicate predicate,
                              KeyBounds bounds, std::optional<std::uint64_t> count) {
  History& h = history_;
  const std::size_t rows_begin = h.rows_.size();
  for (const KeyAndValue& row : rows) {
    use(row.key, kind == OpKind::ListRead ? KeyUse::List : KeyUse::Register);
    if (row.value.is_null() && kind != OpKind::ReadOneOf)
      note_problem(error(fmt::format("null is among the values of key {}", h.display(row.key)),
                         "null means no version: leave it out"));
    h.rows_.push_back(row_value(row.key, row.value));
  }
  finish_compound(kind, key, rows_begin, predicate, bounds, count);
}

void HistoryBuilder::numbered(OpKind kind, KeyId key, std::span<const KeyValueId> values,
                              std::optional<bool> matched, Predicate predicate, KeyBounds bounds) {
  const std::size_t rows_begin = history_.rows_.size();
  std::ranges::copy(values, history_.rows_.append_for_overwrite(values.size()));
  finish_compound(kind, key, rows_begin, predicate, bounds,
                  matched ? std::optional<std::uint64_t>(*matched) : std::nullopt);
}

void HistoryBuilder::conditional_write(KeyValueId value, Predicate predicate,
                                       std::optional<std::uint64_t> count) {
  const std::size_t rows_begin = history_.rows_.size();
  history_.rows_.push_back(value);
  finish_compound(OpKind::UpdateMaybe, history_.key(value), rows_begin, predicate, {}, count);
}

void HistoryBuilder::finish_compound(OpKind kind, KeyId key, std::size_t rows_begin, Predicate predicate,
                                     KeyBounds bounds, std::optional<std::uint64_t> count) {
  History& h = history_;
  History::Compound c{};
  c.rows_begin = rows_begin;
  c.rows_end = h.rows_.size();
  c.predicate_begin = h.predicate_nodes_.size();
  h.predicate_nodes_.insert(h.predicate_nodes_.end(), predicate.begin(), predicate.end());
  c.predicate_end = h.predicate_nodes_.size();
  c.count = count.value_or(UINT64_MAX);
  c.bounds = bounds;
  if (h.compounds_.size() >= kMost) note_problem(too_many("operations"));
  pending_.push_back({h.compounds_.size(), key, kind, ScalarKind::Null, false});
  h.compounds_.push_back(c);
}

void HistoryBuilder::list_read(KeyId key, std::span<const Scalar> elements) {
  use(key, KeyUse::List);
  list_rows_.clear();
  for (const Scalar element : elements) list_rows_.push_back({key, element});
  compound(OpKind::ListRead, key, list_rows_, {}, {}, std::nullopt);
}

void HistoryBuilder::read_one_of(KeyId key, std::span<const Scalar> values, std::optional<bool> matched,
                                 Predicate predicate, KeyBounds bounds) {
  use(key, KeyUse::Register);
  list_rows_.clear();
  FlatIndex seen;  // drops values that are listed twice
  for (const Scalar value : values) {
    const auto next = static_cast<std::uint32_t>(list_rows_.size());
    const auto is_it = [&](std::uint32_t i) { return list_rows_[i].value == value; };
    if (seen.find_or_insert(hash_scalar(value), next, is_it) == next) list_rows_.push_back({key, value});
  }
  compound(OpKind::ReadOneOf, key, list_rows_, predicate, bounds,
           matched ? std::optional<std::uint64_t>(*matched) : std::nullopt);
}

void HistoryBuilder::read_nothing(KeyId key) {
  reads_of_nothing_.push_back(next_operation());
  pending_.push_back({0, key, OpKind::Read, ScalarKind::Null, false});
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
    note_problem(
        error(fmt::format("update-maybe says it changed {} rows but lists {}", *count, rows.size())));
  compound(OpKind::UpdateMaybe, KeyId::none(), rows, predicate, {}, count);
}

void HistoryBuilder::note_problem(Error problem) {
  if (!problem_) problem_ = std::move(problem);
}

void HistoryBuilder::abandon() {
  const std::uint32_t begin = history_.txn_ops_.back();
  pending_.truncate(0);
  for (auto* noted : {&history_.deletes_found_, &history_.deletes_not_found_, &reads_of_nothing_})
    while (!noted->empty() && noted->back() >= begin) noted->pop_back();
  is_joined_.resize(std::min<std::size_t>(is_joined_.size(), begin));
  problem_.reset();
}

Result<void> HistoryBuilder::check(const TransactionHead& head) {
  if (problem_) return *std::exchange(problem_, std::nullopt);
  if (history_.transaction_count() >= kMost) return too_many("transactions");
  if (history_.operation_count() + pending_.size() > kMost) return too_many("operations");

  const Instants& at = head.instants;
  for (const auto& instant : {at.begin, at.began, at.committing, at.end})
    if (instant == History::kNoInstant) return error("an instant is out of range");
  if (!are_in_order(at))
    return error("the instants of a transaction go backwards", "begin <= began <= committing <= end");
  if (head.name && !is_new_name(*head.name)) {
    names_repeat_ = true;
    if (!names_may_repeat_)
      return error(fmt::format("transaction id {} is used twice", history_.display(*head.name)),
                   "ids must be unique in the history");
  }
  return {};
}

// Texts are numbered from 0, and integer names often count transactions from 0 or 1. So one bit each records
// which names are taken.
bool HistoryBuilder::is_new_name(Scalar name) {
  if (name.is_string() || (name.is_integer() && name.bits < kSmallInteger)) {
    std::vector<bool>& seen = name.is_string() ? text_is_txn_name_ : integer_is_txn_name_;
    if (seen.size() <= name.bits) seen.resize(std::bit_ceil(name.bits + 1));
    if (seen[name.bits]) return false;
    return seen[name.bits] = true;
  }
  auto& names = history_.txn_name_;
  names.resize(history_.transaction_count());
  const auto next = static_cast<std::uint32_t>(names.size());
  return next == txn_name_index_.find_or_insert(hash_scalar(name), next,
                                                [&](std::uint32_t i) { return names[i] == name; });
}

Result<void> HistoryBuilder::finish(const TransactionHead& head) {
  ASSAY_REQUIRE(head.session.index() < history_.session_count());
  ASSAY_TRY(check(head));

  History& h = history_;
  if (head.name || !h.txn_name_.empty()) {
    h.txn_name_.resize(h.transaction_count());
    h.txn_name_.push_back(head.name.value_or(Scalar::null()));
  }

  if (head.instants.any() || !h.txn_instants_.empty()) {
    h.txn_instants_.resize(h.transaction_count(), packed({}));
    h.txn_instants_.push_back(packed(head.instants));
  }
  std::size_t place = h.operation_count();
  OpKind* kind = h.op_kind_.append_for_overwrite(pending_.size());
  std::uint32_t* key = h.op_key_.append_for_overwrite(pending_.size());
  std::uint32_t* argument = h.op_argument_.append_for_overwrite(pending_.size());
  for (const Pending& op : pending_) {
    *kind++ = op.kind;
    *key++ = op.key.value;
    *argument++ = static_cast<std::uint32_t>(op.bits);  // build() replaces the bits of a value by its number
    if (op.has_value) values_.mention(op.key, {op.value_kind, op.bits}, place);
    ++place;
  }
  pending_.truncate(0);
  h.txn_session_.push_back(head.session);
  h.txn_position_.push_back(session_size_[head.session.index()]++);
  h.txn_outcome_.push_back(head.outcome);
  h.txn_ops_.push_back(static_cast<std::uint32_t>(h.operation_count()));
  return {};
}

std::array<std::int64_t, 4> HistoryBuilder::packed(const Instants& at) {
  constexpr std::int64_t none = History::kNoInstant;
  return {at.begin.value_or(none), at.began.value_or(none), at.committing.value_or(none),
          at.end.value_or(none)};
}

void HistoryBuilder::set_instants(std::span<const Instants> of_each) {
  ASSAY_REQUIRE(of_each.empty() || of_each.size() == transaction_count());
  ASSAY_REQUIRE(std::ranges::all_of(of_each, are_in_order));
  history_.txn_instants_.clear();
  for (const Instants& at : of_each) history_.txn_instants_.push_back(packed(at));
}

void HistoryBuilder::set_initial(KeyId key, Scalar value) { initial_exceptions_.emplace_back(key, value); }

void HistoryBuilder::join_statements() {
  if (is_joined_.empty()) return;
  is_joined_.resize(history_.operation_count());
  for (std::uint32_t op = 0; op < is_joined_.size(); ++op)
    if (!is_joined_[op]) history_.statement_begin_.push_back(op);
}

void HistoryBuilder::decide_reads_of_nothing() {
  const bool any_list = std::ranges::find(key_use_, KeyUse::List) != key_use_.end();
  std::optional<std::size_t> empty;  // the compound that all empty list reads share
  for (const std::uint32_t op : reads_of_nothing_) {
    const KeyId key(history_.op_key_[op]);
    KeyUse& use = key_use_[key.index()];
    if (use == KeyUse::None) use = any_list ? KeyUse::List : KeyUse::Register;
    if (use != KeyUse::List) {
      values_.mention(key, Scalar::null(), op);
      continue;
    }
    if (!empty) {
      empty = history_.compounds_.size();
      history_.compounds_.push_back({});
    }
    history_.op_kind_[op] = OpKind::ListRead;
    history_.op_argument_[op] = static_cast<std::uint32_t>(*empty);
  }
}

void HistoryBuilder::order_sessions() {
  History& h = history_;
  h.session_begin_.assign(h.session_count() + 1, 0);
  for (std::size_t s = 0; s < h.session_count(); ++s)
    h.session_begin_[s + 1] = h.session_begin_[s] + session_size_[s];
  h.session_txns_.resize(h.transaction_count());
  for (const TxnId t : h.transactions())
    h.session_txns_[h.session_begin_[h.session(t).index()] + h.position(t)] = t;
}

// A key has one initial value. Two different ones are a mistake in the input.
Result<void> HistoryBuilder::check_exceptions() const {
  if (initial_exceptions_.empty()) return {};
  const History& h = history_;
  std::vector<std::size_t> first(h.key_count(), SIZE_MAX);
  for (std::size_t i = 0; i < initial_exceptions_.size(); ++i) {
    const auto& [key, value] = initial_exceptions_[i];
    std::size_t& said = first[key.index()];
    if (said == SIZE_MAX) said = i;
    const Scalar before = initial_exceptions_[said].second;
    if (before != value)
      return error(fmt::format("key {} starts with {} and with {}", h.display(key), h.display(before),
                               h.display(value)),
                   "say once what a key starts with");
  }
  return {};
}

// Calls start(key, value) for each initial value: first the default of every key, then the exceptions.
template <class Start>
Result<void> HistoryBuilder::each_start(Start start) const {
  const History& h = history_;
  if (h.default_initial_)
    for (const KeyId key : h.keys())
      if (!h.is_list(key)) start(key, *h.default_initial_);
  for (const auto& [key, value] : initial_exceptions_) {
    if (h.is_list(key)) return list_with_initial(key);
    start(key, value);
  }
  return {};
}

Result<void> HistoryBuilder::keep_numbers_of_rows() {
  History& h = history_;
  h.key_initial_.resize(h.key_count());
  ASSAY_TRY(
      each_start([&](KeyId key, Scalar value) { h.key_initial_[key.index()] = row_value(key, value); }));
  if (problem_) return *problem_;
  row_values_.shrink_to_fit();
  h.values_->of_keys = std::move(row_values_);
  h.key_values_ = h.values_->of_keys.data();
  return {};
}

// ValueNumbers writes each number to an index. The indices after those of the operations serve for the values
// of rows, and then for initial values.
Result<void> HistoryBuilder::number_values() {
  if (values_.empty()) return keep_numbers_of_rows();
  History& h = history_;
  const std::size_t operations = h.operation_count();
  std::vector<KeyId> starts;
  std::size_t place = operations;
  for (const KeyValue& row : row_values_) values_.mention(row.key, row.value(), place++);
  const std::size_t first_start = place;
  ASSAY_TRY(each_start([&](KeyId key, Scalar value) {
    values_.mention(key, value, place++);
    starts.push_back(key);
  }));
  if (place > kMost) return too_many("operations and values");

  auto& numbers = h.op_argument_;
  numbers.append_for_overwrite(place - operations);
  h.values_->of_keys = std::move(values_).number(numbers);
  h.key_values_ = h.values_->of_keys.data();
  for (KeyValueId& row : h.rows_) row = KeyValueId(numbers[operations + row.index()]);
  h.key_initial_.resize(h.key_count());
  for (std::size_t i = 0; i < starts.size(); ++i)
    h.key_initial_[starts[i].index()] = KeyValueId(numbers[first_start + i]);
  numbers.truncate(operations);
  return {};
}

Result<void> HistoryBuilder::make_unwritten_initial() {
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
  // A key may have been read with several values that nobody wrote. All of them mean its initial state.
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
    if (!has_rows(h.kind(op))) {
      auto& argument = h.op_argument_[op.index()];
      argument = stands_for[argument].value;
    }
  for (KeyValueId& row : h.rows_) row = stands_for[row.index()];
  for (const KeyId key : h.keys()) {
    if (initial[key.index()].is_none()) continue;
    if (h.is_list(key)) return list_with_initial(key);
    h.key_initial_[key.index()] = initial[key.index()];
  }
  return {};
}

Error HistoryBuilder::list_with_initial(KeyId key) const {
  return error(fmt::format("key {} is a list and has an initial value", history_.display(key)),
               "lists start empty");
}

Result<History> HistoryBuilder::build() && {
  ASSAY_REQUIRE(pending_operations() == 0);
  if (names_repeat_) history_.txn_name_.clear();
  order_sessions();
  join_statements();
  decide_reads_of_nothing();
  History& h = history_;
  for (const KeyUse use : key_use_) h.key_is_list_.push_back(use == KeyUse::List);
  ASSAY_TRY(check_exceptions());
  if (!is_numbered_) ASSAY_TRY(number_values());
  if (unwritten_is_initial_) ASSAY_TRY(make_unwritten_initial());
  if (problem_) return *problem_;
  if (!is_numbered_) h.values_->pool.seal();
  h.rows_.shrink_to_fit();
  for (auto* column : {&h.txn_position_, &h.txn_ops_, &h.op_key_, &h.op_argument_}) column->shrink_to_fit();
  h.txn_session_.shrink_to_fit();
  h.txn_outcome_.shrink_to_fit();
  h.op_kind_.shrink_to_fit();
  return std::move(history_);
}

}  // namespace assay

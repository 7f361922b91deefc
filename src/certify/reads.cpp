#include "certify/reads.h"

#include <fmt/format.h>

#include <algorithm>

#include "certify/certify.h"
#include "certify/clocks.h"
#include "certify/order.h"
#include "certify/predicate_tree.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

bool is_write(OpKind kind) {
  return kind == OpKind::Write || kind == OpKind::Append || kind == OpKind::Delete;
}

}  // namespace

Result<void> certifiable(const History& history, Level level, std::int64_t skew) {
  if (row(level).needs_instants())
    if (const auto known = require_clocks(history); !known) return unchecked(known.error().what);
  if (skew < 0 || (skew > 0 && !row(level).needs_instants()))
    return error(fmt::format("{} cannot have a skew of {}", id(level), skew));
  if (const auto clock = require_times(history, skew); !clock) return unchecked(clock.error().what);
  for (const OpId op : history.operations()) {
    const OpKind kind = history.kind(op);
    if (kind > OpKind::ReadOneOf && !(kind == OpKind::Delete && !history.found(op)) &&
        !history.is_conditional_write(op))
      return unchecked(
          fmt::format("operation {} is not supported by certificates; they speak about reads, writes, "
                      "appends and list reads",
                      called(history, op)));
  }
  return {};
}

std::string called(TxnId t) { return fmt::format("transaction {}", t.index() + 1); }

std::string called(const History& history, OpId op) {
  const TxnId t = transaction_of(history, op);
  return fmt::format("{}.{}", t.index() + 1, op.index() - history.operations(t).first.index() + 1);
}

// The operations of one transaction on one key so far.
struct Reads::OfKey {
  TxnId txn{};
  OpId last_write{}, first_read{};
  std::vector<KeyValueId> appended{};
};

Reads::Reads(const History& history, Level level, std::vector<bool> exists)
    : h_(history),
      repeatable_(reads_repeat(level)),
      exists_(std::move(exists)),
      counts_(exists_),
      kind_(h_.operation_count(), Kind::NoRead),
      external_size_(h_.operation_count()),
      first_read_(h_.operation_count()),
      transaction_(h_.operation_count()),
      next_write_(h_.operation_count()),
      first_write_(h_.operation_count()),
      keys_begin_(1, 0) {
  std::vector<OfKey> keys(h_.key_count());
  for (const OpId op : h_.operations())
    if (h_.kind(op) == OpKind::UpdateMaybe) conditional_.push_back(op);
  if (!conditional_.empty()) values_.emplace(h_);
  for (const TxnId t : h_.transactions()) {
    classify(t, keys);
    for (const OpId op : h_.operations(t))
      if (is_write(h_.kind(op)) && is_final(op)) keys_.push_back(h_.key(op));
    std::sort(keys_.begin() + keys_begin_.back(), keys_.end());
    keys_begin_.push_back(static_cast<std::uint32_t>(keys_.size()));
  }
  index_writes();
}

void Reads::classify(TxnId t, std::vector<OfKey>& keys) {
  for (const OpId op : h_.operations(t)) {
    OfKey& key = keys[h_.key(op).index()];
    if (key.txn != t) key = {.txn = t};
    transaction_[op.index()] = t;
    if (h_.is_conditional_write(op)) conditional_of_[std::uint64_t{t.value} << 32 | h_.key(op).value] = op;
    if (is_write(h_.kind(op))) {
      first_write_[op.index()] = key.last_write.is_none();
      if (!key.last_write.is_none()) next_write_[key.last_write.index()] = op;
      key.last_write = op;
      if (h_.kind(op) == OpKind::Append) key.appended.push_back(h_.value(op));
    } else if (h_.kind(op) == OpKind::ListRead) {
      kind_[op.index()] = classify_list_read(op, key);
    } else {
      kind_[op.index()] = classify_read(op, key);
    }
  }
}

// A conditional write may read any version.
bool Reads::may_return(OpId op, KeyValueId value) const {
  if (h_.kind(op) == OpKind::UpdateMaybe) return true;
  if (h_.kind(op) == OpKind::Read) return h_.value(op) == value;
  return std::ranges::find(h_.rows(op), value) != h_.rows(op).end();
}

Reads::Kind Reads::classify_read(OpId op, OfKey& key) {
  if (!key.last_write.is_none())
    return may_return(op, h_.value(key.last_write)) ? Kind::Own : Kind::Contradiction;
  if (key.first_read.is_none()) key.first_read = op;
  const OpId first = key.first_read;
  first_read_[op.index()] = first;
  const auto returned = [&](OpId read) {
    if (h_.kind(read) == OpKind::Read) return std::vector{h_.value(read)};
    const auto values = h_.kind(read) == OpKind::UpdateMaybe ? values_->of(h_.key(read)) : h_.rows(read);
    return std::vector(values.begin(), values.end());
  };
  if (!repeatable_ || op == first) {
    if (h_.kind(op) != OpKind::Read) possible_[op.value] = returned(op);
    return Kind::External;
  }
  if (h_.kind(op) == OpKind::Read && h_.kind(first) == OpKind::Read && !possible_.contains(first.value))
    return h_.value(op) == h_.value(first) ? Kind::External : Kind::Unrepeatable;
  auto& possible = possible_.try_emplace(first.value, returned(first)).first->second;
  std::erase_if(possible, [&](KeyValueId value) { return !may_return(op, value); });
  return possible.empty() ? Kind::Unrepeatable : Kind::External;
}

Reads::Kind Reads::classify_list_read(OpId op, OfKey& key) {
  const auto list = h_.rows(op);
  const auto& own = key.appended;
  if (list.size() < own.size() || !std::ranges::equal(list.last(own.size()), own)) return Kind::Contradiction;
  external_size_[op.index()] = static_cast<std::uint32_t>(list.size() - own.size());
  if (key.first_read.is_none()) key.first_read = op;
  first_read_[op.index()] = key.first_read;
  const bool repeats = std::ranges::equal(external_part(op), external_part(key.first_read));
  return repeats || !repeatable_ ? Kind::External : Kind::Unrepeatable;
}

void Reads::WritesOf::reserve(std::size_t values) { end_.assign(values + 1, 0); }

void Reads::WritesOf::allocate() {
  for (std::size_t i = 1; i < end_.size(); ++i) end_[i] += end_[i - 1];
  begin_ = end_;
  ops_.resize(end_.back());
}

void Reads::WritesOf::remove(KeyValueId kv, OpId op) {
  const auto last = ops_.begin() + end_[kv.index()]--;
  std::remove(ops_.begin() + begin_[kv.index()], last, op);
}

std::span<const OpId> Reads::WritesOf::operator[](KeyValueId kv) const {
  return {ops_.data() + begin_[kv.index()], end_[kv.index()] - begin_[kv.index()]};
}

void Reads::index_writes() {
  const auto each_write = [&](auto visit) {
    for (const OpId op : h_.operations()) {
      if (!exists_[transaction(op).index()]) continue;
      if (h_.kind(op) == OpKind::UpdateMaybe) visit(finals_, h_.conditional_value(op), op);
      if (!is_write(h_.kind(op))) continue;
      if (is_final(op)) visit(finals_, h_.value(op), op);
      if (h_.kind(op) == OpKind::Append) visit(appends_, h_.value(op), op);
    }
  };
  finals_.reserve(h_.key_value_count());
  appends_.reserve(h_.key_value_count());
  each_write([](WritesOf& writes, KeyValueId kv, OpId) { writes.count(kv); });
  finals_.allocate();
  appends_.allocate();
  each_write([](WritesOf& writes, KeyValueId kv, OpId op) { writes.add(kv, op); });
}

// Visits the values of the key that an external read can have returned; for a list read, its last element.
template <class Visit>
void Reads::each_value(OpId op, Visit visit) const {
  ASSAY_ASSERT(kind(op) == Kind::External);
  if (h_.kind(op) == OpKind::ListRead) {
    if (!external_part(op).empty()) visit(external_part(op).back());
    return;
  }
  const auto possible =
      possible_.empty() ? possible_.end() : possible_.find((repeatable_ ? first_read(op) : op).value);
  if (possible == possible_.end()) return visit(h_.value(op));
  for (const KeyValueId value : possible->second) visit(value);
}

bool Reads::may_be_initial(OpId op) const {
  if (h_.kind(op) == OpKind::ListRead) return external_part(op).empty();
  bool found = false;
  each_value(op, [&](KeyValueId value) { found |= value == h_.initial_value(h_.key(op)); });
  return found;
}

Reads::Writer Reads::writer(OpId op) const {
  Writer found{may_be_initial(op) ? Writer::Kind::Initial : Writer::Kind::None};
  each_value(op, [&](KeyValueId value) {
    for (const OpId write : finals_[value]) {
      if (transaction(write) == transaction(op)) continue;
      found = found.kind == Writer::Kind::None ? Writer{Writer::Kind::One, transaction(write)}
                                               : Writer{Writer::Kind::Several};
    }
  });
  return found;
}

template <class Accepts>
std::vector<TxnId> Reads::possible_writers(OpId op, Accepts accepts) const {
  std::vector<TxnId> writers;
  if (may_be_initial(op) && (h_.is_list(h_.key(op)) || accepts(h_.initial_value(h_.key(op)))))
    writers.push_back(TxnId::none());
  each_value(op, [&](KeyValueId value) {
    if (!accepts(value)) return;
    for (const OpId write : finals_[value])
      if (transaction(write) != transaction(op)) writers.push_back(transaction(write));
  });
  return writers;
}

std::vector<TxnId> Reads::possible_writers(OpId op) const {
  return possible_writers(op, [](KeyValueId) { return true; });
}

std::vector<TxnId> Reads::deciding_writers(OpId write, bool took) const {
  const PredicateTree tree(h_, h_.predicate(write));
  return possible_writers(first_read(write), [&](KeyValueId value) {
    return tree.matches(h_.key(write), h_.value(value)) == took;
  });
}

OpId Reads::conditional_write(TxnId t, KeyId key) const {
  const auto found = conditional_of_.find(std::uint64_t{t.value} << 32 | key.value);
  return found == conditional_of_.end() ? OpId::none() : found->second;
}

std::span<const OpId> Reads::conditional_writes(OpId of_statement) const {
  const auto all = std::ranges::equal_range(conditional_, h_.statement(of_statement), {},
                                            [&](OpId op) { return h_.statement(op); });
  return {all.begin(), all.end()};
}

bool Reads::is_possible_writer(OpId op, TxnId writer) const {
  if (writer.is_none()) return may_be_initial(op);
  bool possible = false;
  each_value(op, [&](KeyValueId value) {
    const auto writes = finals_[value];  // sorted as in the history
    const auto found = std::ranges::lower_bound(writes, h_.operations(writer).first);
    possible |= found != writes.end() && transaction(*found) == writer && writer != transaction(op);
  });
  return possible;
}

bool Reads::is_wrong(OpId op) const {
  switch (kind(op)) {
    case Kind::NoRead:
    case Kind::Own: return false;
    case Kind::Contradiction:
    case Kind::Unrepeatable: return true;
    case Kind::External: break;
  }
  return writer(op).kind == Writer::Kind::None || (h_.kind(op) == OpKind::ListRead && list_is_wrong(op));
}

// A list must consist of whole transactions, each once, with its appends in their order. This is not checked
// if an element was appended more than once.
bool Reads::list_is_wrong(OpId op) const {
  std::vector<TxnId> authors;
  OpId expected;
  bool torn = false, unclear = false;
  for (const KeyValueId element : external_part(op)) {
    const auto appends = appends_[element];
    if (appends.empty()) return true;
    unclear |= appends.size() > 1;
    const OpId append = appends[0];
    if (expected.is_none()) authors.push_back(transaction(append));
    torn |= expected.is_none() ? !first_write_[append.index()] : append != expected;
    expected = next_write_[append.index()];
  }
  authors.push_back(transaction(op));
  std::ranges::sort(authors);
  const bool twice = std::ranges::adjacent_find(authors) != authors.end();
  return !unclear && (torn || twice || !expected.is_none());
}

std::span<const KeyId> Reads::keys_written(TxnId t) const {
  return {keys_.data() + keys_begin_[t.index()], keys_begin_[t.index() + 1] - keys_begin_[t.index()]};
}

bool Reads::writes(TxnId t, KeyId key) const { return std::ranges::binary_search(keys_written(t), key); }

TxnId Reads::only_appender(KeyValueId element) const {
  TxnId found;
  for (const OpId append : appends_[element]) {
    if (!found.is_none() && found != transaction(append)) return TxnId::none();
    found = transaction(append);
  }
  return found;
}

Reads Reads::of_those_in(const History& history, Level level, const Positions& order) {
  std::vector<bool> exists(history.transaction_count());
  for (const TxnId t : history.transactions()) exists[t.index()] = order.contain(t);
  return Reads(history, level, std::move(exists));
}

Reads Reads::of_what_must_have_happened(const History& history, Level level) {
  std::vector<bool> exists(history.transaction_count());
  for (const TxnId t : history.transactions()) exists[t.index()] = history.outcome(t) != Outcome::Aborted;
  Reads reads(history, level, std::move(exists));
  reads.drop_unknown_with_wrong_reads();
  reads.decide_what_counts();
  return reads;
}

void Reads::drop(TxnId t) {
  exists_[t.index()] = false;
  for (const OpId op : h_.operations(t)) {
    if (!is_write(h_.kind(op))) continue;
    if (is_final(op)) finals_.remove(h_.value(op), op);
    if (h_.kind(op) == OpKind::Append) appends_.remove(h_.value(op), op);
  }
}

void Reads::drop_unknown_with_wrong_reads() {
  std::vector<TxnId> unknown;
  for (const TxnId t : h_.transactions())
    if (h_.outcome(t) == Outcome::Unknown) unknown.push_back(t);
  const auto drop_if_wrong = [&](TxnId t) {
    bool wrong = false;
    for (const OpId op : h_.operations(t)) wrong |= is_wrong(op);
    if (wrong) drop(t);
    return wrong;
  };
  while (std::erase_if(unknown, drop_if_wrong) > 0) {
  }
}

void Reads::decide_what_counts() {
  std::vector<TxnId> open;
  const auto count = [&](TxnId t) {
    if (t.is_none() || counts_[t.index()]) return;
    counts_[t.index()] = true;
    open.push_back(t);
  };
  counts_.assign(h_.transaction_count(), false);
  for (const TxnId t : h_.transactions())
    if (h_.outcome(t) == Outcome::Committed) count(t);
  while (!open.empty()) {
    const TxnId t = open.back();
    open.pop_back();
    for (const OpId op : h_.operations(t)) {
      if (kind(op) != Kind::External) continue;
      if (const Writer w = writer(op); w.kind == Writer::Kind::One) count(w.txn);
      if (h_.kind(op) == OpKind::ListRead)
        for (const KeyValueId element : external_part(op)) count(only_appender(element));
    }
  }
}

}  // namespace assay

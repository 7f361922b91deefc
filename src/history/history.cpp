#include "history/history.h"

#include <algorithm>

#include "base/printable.h"

namespace assay {

bool are_in_order(const Instants& instants) {
  std::optional<std::int64_t> latest;
  for (const auto& instant : {instants.begin, instants.began, instants.committing, instants.end}) {
    if (!instant) continue;
    if (latest && *instant < *latest) return false;
    latest = instant;
  }
  return true;
}

Instants History::instants(TxnId t) const {
  Instants result;
  if (txn_instants_.empty()) return result;
  const auto& stored = txn_instants_[t.index()];
  const auto get = [](std::int64_t i) { return i == kNoInstant ? std::nullopt : std::optional(i); };
  return {get(stored[0]), get(stored[1]), get(stored[2]), get(stored[3])};
}

std::size_t History::statement_number(OpId op) const {
  if (statement_begin_.empty()) return op.index();
  return static_cast<std::size_t>(std::ranges::upper_bound(statement_begin_, op.value) -
                                  statement_begin_.begin()) -
         1;
}

std::span<const KeyValueId> History::rows(OpId op) const {
  ASSAY_ASSERT(has_rows(kind(op)));
  const Compound& c = compound(op);
  return {rows_.data() + c.rows_begin, c.rows_end - c.rows_begin};
}

KeyBounds History::bounds(OpId op) const {
  ASSAY_REQUIRE(kind(op) == OpKind::Scan || kind(op) == OpKind::ReadOneOf);
  return compound(op).bounds;
}

Predicate History::predicate(OpId op) const {
  ASSAY_REQUIRE(has_predicate(kind(op)) || kind(op) == OpKind::ReadOneOf);
  const Compound& c = compound(op);
  return {predicate_nodes_.data() + c.predicate_begin, c.predicate_end - c.predicate_begin};
}

std::optional<std::uint64_t> History::count(OpId op) const {
  ASSAY_REQUIRE(kind(op) == OpKind::UpdateMaybe);
  const std::uint64_t count = compound(op).count;
  return count == UINT64_MAX ? std::nullopt : std::optional(count);
}

std::optional<bool> History::matched(OpId op) const {
  if (kind(op) != OpKind::ReadOneOf || compound(op).count == UINT64_MAX) return std::nullopt;
  return compound(op).count == 1;
}

std::optional<bool> History::found(OpId op) const {
  ASSAY_REQUIRE(kind(op) == OpKind::Delete);
  if (std::binary_search(deletes_found_.begin(), deletes_found_.end(), op.value)) return true;
  if (std::binary_search(deletes_not_found_.begin(), deletes_not_found_.end(), op.value)) return false;
  return std::nullopt;
}

std::optional<Scalar> History::name(TxnId t) const {
  if (txn_name_.empty() || txn_name_[t.index()].is_null()) return std::nullopt;
  return txn_name_[t.index()];
}

std::string History::display(Scalar scalar) const {
  if (scalar.is_string() && is_printable_name(pool().text(scalar))) return std::string(pool().text(scalar));
  // Quoted, because the name would break the line or be invisible. What is displayed can itself be displayed.
  return printable(pool().to_json(scalar));
}

std::string History::display(SessionId s) const { return display(name(s)); }
std::string History::display(KeyId key) const { return display(name(key)); }

std::string History::display(TxnId t) const {
  if (const auto given = name(t)) return display(*given);
  return display(session(t)) + ":" + std::to_string(position(t) + 1);
}

std::size_t History::memory_bytes() const {
  const auto bytes = [](const auto&... v) { return (std::size_t{0} + ... + (v.capacity() * sizeof(v[0]))); };
  return bytes(session_name_, session_begin_, session_txns_, txn_session_, txn_position_, txn_ops_,
               txn_outcome_, txn_name_, txn_instants_, op_kind_, op_key_, op_argument_, compounds_, rows_,
               statement_begin_, predicate_nodes_, deletes_found_, deletes_not_found_, key_name_,
               key_is_list_, key_initial_, values_->of_keys);
}

}  // namespace assay

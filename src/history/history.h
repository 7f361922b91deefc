// A history: what the clients of a database did and what they saw. Every part of Assay works on this type.
//
// A history has sessions, a session has transactions in order, a transaction has operations in order. All lie
// in flat arrays indexed by ids, at 9 bytes an operation: a million transactions of twenty operations, with
// their distinct values, stay under 2 GB. A History is immutable; only HistoryBuilder makes one.
//
// The initial transaction, which writes the first version of every key, is not in the arrays: see
// initial_value().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/column.h"
#include "history/ids.h"
#include "history/predicate.h"
#include "history/scalar.h"

namespace assay {

enum class Outcome : std::uint8_t { Committed, Aborted, Unknown };

enum class OpKind : std::uint8_t {
  Read,         // key, value
  Write,        // key, value
  Append,       // key, value: the element
  ListRead,     // key, rows: the elements in order
  ReadOneOf,    // key, rows: the values that it may have returned; predicate or bounds: why these
  Insert,       // key, value
  Delete,       // key, value: null; found
  Scan,         // bounds, rows
  Select,       // predicate, rows
  Update,       // predicate, rows: the new value of each matching row
  UpdateMaybe,  // predicate, rows: the new value of each row if it matched; count; key, if a single one
};

inline constexpr bool is_one_key(OpKind kind) { return kind <= OpKind::Delete; }
inline constexpr bool has_rows(OpKind kind) {
  return kind == OpKind::ListRead || kind == OpKind::ReadOneOf || !is_one_key(kind);
}
// Whether the operation writes exactly one value to its key.
inline constexpr bool is_item_write(OpKind kind) {
  return kind == OpKind::Write || kind == OpKind::Append || kind == OpKind::Insert || kind == OpKind::Delete;
}
inline constexpr bool has_predicate(OpKind kind) { return kind >= OpKind::Select; }

// Times by a client's clock, in nanoseconds; docs/levels.md says what each instant bounds.
struct Instants {
  std::optional<std::int64_t> begin{}, began{}, committing{}, end{};
  bool any() const { return begin || began || committing || end; }
  friend bool operator==(const Instants&, const Instants&) = default;
};
// begin <= began <= committing <= end, for those that are known.
bool are_in_order(const Instants& instants);

// The unit of instants. Positions in one sequence of events order transactions like a clock, but the
// difference of two positions means nothing.
enum class InstantKind : std::uint8_t { Nanoseconds, Positions };

struct KeyBounds {
  Scalar low, high;  // both inclusive
};

// The key and value of a KeyValueId; packed, since a KeyId and a Scalar would take half as much again.
struct KeyValue {
  std::uint64_t bits;
  KeyId key;
  ScalarKind kind;

  Scalar value() const { return {kind, bits}; }
  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

class History {
 public:
  // Sizes.
  std::size_t session_count() const { return session_name_.size(); }
  std::size_t transaction_count() const { return txn_session_.size(); }
  std::size_t operation_count() const { return op_kind_.size(); }
  std::size_t key_count() const { return key_name_.size(); }
  std::size_t key_value_count() const { return values_->of_keys.size(); }

  IdRange<SessionId> sessions() const { return {SessionId(0), SessionId(session_count())}; }
  IdRange<TxnId> transactions() const { return {TxnId(0), TxnId(transaction_count())}; }
  IdRange<OpId> operations() const { return {OpId(0), OpId(operation_count())}; }
  IdRange<KeyId> keys() const { return {KeyId(0), KeyId(key_count())}; }

  // Sessions and transactions. Positions in a session count from 0.
  std::span<const TxnId> transactions(SessionId s) const {
    return {session_txns_.data() + session_begin_[s.index()],
            session_begin_[s.index() + 1] - session_begin_[s.index()]};
  }
  SessionId session(TxnId t) const { return txn_session_[t.index()]; }
  std::uint32_t position(TxnId t) const { return txn_position_[t.index()]; }
  Outcome outcome(TxnId t) const { return txn_outcome_[t.index()]; }
  bool has_instants() const { return !txn_instants_.empty(); }  // of any transaction
  Instants instants(TxnId t) const;
  InstantKind instant_kind() const { return instant_kind_; }
  // A clause, perhaps empty: why the reader of the file took the instants for positions, or dropped them.
  const std::string& instants_reason() const { return instants_reason_; }
  // What the reader of the file decided or left out, for the user to know: sentences without full stops.
  const std::vector<std::string>& remarks() const { return remarks_; }
  IdRange<OpId> operations(TxnId t) const {
    return {OpId(txn_ops_[t.index()]), OpId(txn_ops_[t.index() + 1])};
  }

  // The comments at OpKind say which of these an operation has.
  OpKind kind(OpId op) const { return op_kind_[op.index()]; }
  KeyId key(OpId op) const { return KeyId(op_key_[op.index()]); }
  // The first operation of the statement that contains this one; usually itself.
  OpId statement(OpId op) const {
    return statement_begin_.empty() ? op : OpId(statement_begin_[statement_number(op)]);
  }
  // The number of statements before this operation's. O(log n).
  std::size_t statement_number(OpId op) const;
  KeyValueId value(OpId op) const {
    ASSAY_ASSERT(!has_rows(kind(op)));
    return KeyValueId(op_argument_[op.index()]);
  }
  std::span<const KeyValueId> rows(OpId op) const;
  KeyBounds bounds(OpId op) const;
  Predicate predicate(OpId op) const;
  std::optional<std::uint64_t> count(OpId op) const;  // how many rows an UpdateMaybe changed
  std::optional<bool> found(OpId op) const;           // whether a Delete met a row
  // A conditional write is an UpdateMaybe of a single key, which itemize() makes of one row: it writes the
  // value if the version that it meets matches. Its count is that of all conditional writes of the statement.
  bool is_conditional_write(OpId op) const { return kind(op) == OpKind::UpdateMaybe && !key(op).is_none(); }
  KeyValueId conditional_value(OpId op) const { return rows(op).front(); }
  // For a ReadOneOf that stands for an invisible read (completion.h): whether the version it met matched.
  std::optional<bool> matched(OpId op) const;

  // Keys and values.
  KeyId key(KeyValueId kv) const { return key_values_[kv.index()].key; }
  Scalar value(KeyValueId kv) const { return key_values_[kv.index()].value(); }
  Scalar name(KeyId key) const { return key_name_[key.index()]; }
  bool is_list(KeyId key) const { return key_is_list_[key.index()] != 0; }
  // none() for lists, which start empty, and when the history has no initial state.
  KeyValueId initial_value(KeyId key) const { return key_initial_[key.index()]; }
  // The initial value of keys that have none of their own; nothing when there is no initial state.
  std::optional<Scalar> default_initial() const { return default_initial_; }

  // Names from the input. A transaction without a name is displayed as SESSION:NUMBER, counted from 1.
  Scalar name(SessionId s) const { return session_name_[s.index()]; }
  std::optional<Scalar> name(TxnId t) const;
  std::string display(TxnId t) const;
  std::string display(SessionId s) const;
  std::string display(KeyId key) const;
  std::string display(Scalar scalar) const;  // a string without quotes, other values as JSON
  const std::string& note() const { return note_; }
  const ScalarPool& pool() const { return values_->pool; }

  std::size_t memory_bytes() const;

 private:
  friend class HistoryBuilder;
  History() : values_(std::make_shared<Values>()) {}

  // The arguments of an operation that has more than one key and one value.
  struct Compound {
    std::uint64_t rows_begin, rows_end;
    std::uint64_t predicate_begin, predicate_end;
    std::uint64_t count;  // UINT64_MAX: unknown
    KeyBounds bounds;
  };
  const Compound& compound(OpId op) const { return compounds_[op_argument_[op.index()]]; }

  static constexpr std::int64_t kNoInstant = INT64_MIN;

  std::vector<Scalar> session_name_;
  std::vector<std::uint32_t> session_begin_;
  std::vector<TxnId> session_txns_;

  Column<SessionId> txn_session_;
  Column<std::uint32_t> txn_position_;
  Column<std::uint32_t> txn_ops_;
  Column<Outcome> txn_outcome_;
  std::vector<Scalar> txn_name_;  // null: no name; empty when no transaction has one
  std::vector<std::array<std::int64_t, 4>> txn_instants_;
  InstantKind instant_kind_ = InstantKind::Nanoseconds;
  std::string instants_reason_;
  std::vector<std::string> remarks_;

  Column<OpKind> op_kind_;
  Column<std::uint32_t> op_key_;
  Column<std::uint32_t> op_argument_;           // a KeyValueId, or an index into compounds_
  std::vector<std::uint32_t> statement_begin_;  // first operations; empty: each operation is a statement
  std::vector<Compound> compounds_;
  Column<KeyValueId> rows_;
  std::vector<PredicateNode> predicate_nodes_;
  std::vector<std::uint32_t> deletes_found_;      // sorted OpIds of deletes that met a row
  std::vector<std::uint32_t> deletes_not_found_;  // sorted OpIds of deletes that met none

  std::vector<Scalar> key_name_;
  std::vector<std::uint8_t> key_is_list_;
  std::vector<KeyValueId> key_initial_;
  std::optional<Scalar> default_initial_ = Scalar::null();

  // Shared with translations of this history (HistoryBuilder::like).
  struct Values {
    Column<KeyValue> of_keys;
    ScalarPool pool;
  };
  std::shared_ptr<Values> values_;
  const KeyValue* key_values_ = nullptr;  // values_->of_keys.data(), set by build()
  std::string note_;
};

}  // namespace assay

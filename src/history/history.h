// What the clients of a database did and saw: the one value that every part of Assay speaks.
//
// Sessions of transactions of operations, in flat arrays addressed by ids: 9 bytes an operation, so
// a million transactions of twenty operations, with their distinct values, stay under 2 GB. A
// History is immutable; HistoryBuilder is the only way to make one.
//
// The initial transaction is not in the arrays: initial_value() says what each key starts with.
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
  ReadOneOf,    // key, rows: it returned one of these values; predicate or bounds: what said so
  Insert,       // key, value
  Delete,       // key, value: null; found
  Scan,         // bounds, rows
  Select,       // predicate, rows
  Update,       // predicate, rows: what each matching row became
  UpdateMaybe,  // predicate, rows: what each row became where it matched; count. Of a single key: also that
};

inline constexpr bool is_one_key(OpKind kind) { return kind <= OpKind::Delete; }
inline constexpr bool has_rows(OpKind kind) {
  return kind == OpKind::ListRead || kind == OpKind::ReadOneOf || !is_one_key(kind);
}
// Carries exactly one value that the transaction gave to its key.
inline constexpr bool is_item_write(OpKind kind) {
  return kind == OpKind::Write || kind == OpKind::Append || kind == OpKind::Insert || kind == OpKind::Delete;
}
inline constexpr bool has_predicate(OpKind kind) { return kind >= OpKind::Select; }

// What a client's clock showed, in nanoseconds; levels.md says what each instant bounds.
struct Instants {
  std::optional<std::int64_t> begin{}, began{}, committing{}, end{};
  bool any() const { return begin || began || committing || end; }
  friend bool operator==(const Instants&, const Instants&) = default;
};
// begin <= began <= committing <= end, as far as they are known.
bool are_in_order(const Instants& instants);

// What instants are. Positions in one sequence of events order transactions as a clock does, but the distance
// between two of them means nothing.
enum class InstantKind : std::uint8_t { Nanoseconds, Positions };

struct KeyBounds {
  Scalar low, high;  // both inclusive
};

// What a KeyValueId stands for; a Scalar beside a key would take half as much again.
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
  // Why the instants are positions, or why there are none, where the reader had to decide that; a clause, may
  // be empty.
  const std::string& instants_reason() const { return instants_reason_; }
  IdRange<OpId> operations(TxnId t) const {
    return {OpId(txn_ops_[t.index()]), OpId(txn_ops_[t.index() + 1])};
  }

  // Operations. OpKind lists which of these an operation has.
  OpKind kind(OpId op) const { return op_kind_[op.index()]; }
  KeyId key(OpId op) const { return KeyId(op_key_[op.index()]); }
  // The first operation of the statement that this one is part of; mostly itself.
  OpId statement(OpId op) const {
    return statement_begin_.empty() ? op : OpId(statement_begin_[statement_number(op)]);
  }
  // How many statements there are before it. O(log).
  std::size_t statement_number(OpId op) const;
  KeyValueId value(OpId op) const {
    ASSAY_ASSERT(!has_rows(kind(op)));
    return KeyValueId(op_argument_[op.index()]);
  }
  std::span<const KeyValueId> rows(OpId op) const;
  KeyBounds bounds(OpId op) const;
  Predicate predicate(OpId op) const;
  std::optional<std::uint64_t> count(OpId op) const;  // of rows that an UpdateMaybe changed
  std::optional<bool> found(OpId op) const;           // whether a Delete met a row
  // An UpdateMaybe of a single key, which itemize.h makes of a row: it wrote the value if what it met
  // matched. The count is of those of its statement.
  bool is_conditional_write(OpId op) const { return kind(op) == OpKind::UpdateMaybe && !key(op).is_none(); }
  KeyValueId conditional_value(OpId op) const { return rows(op).front(); }
  // Of a ReadOneOf that stands for what a statement said of a key: whether what it met there matched.
  std::optional<bool> matched(OpId op) const;

  // Keys and values.
  KeyId key(KeyValueId kv) const { return key_values_[kv.index()].key; }
  Scalar value(KeyValueId kv) const { return key_values_[kv.index()].value(); }
  Scalar name(KeyId key) const { return key_name_[key.index()]; }
  bool is_list(KeyId key) const { return key_is_list_[key.index()] != 0; }
  // What the key starts with; none() for lists (they start empty) and when the format has no
  // initial state that could be read.
  KeyValueId initial_value(KeyId key) const { return key_initial_[key.index()]; }
  // The header's default, before exceptions for single keys; nothing: no initial state.
  std::optional<Scalar> default_initial() const { return default_initial_; }

  // What the input called things. A transaction without a name is called session:index, from 1.
  Scalar name(SessionId s) const { return session_name_[s.index()]; }
  std::optional<Scalar> name(TxnId t) const;
  std::string display(TxnId t) const;
  std::string display(SessionId s) const;
  std::string display(KeyId key) const;
  std::string display(Scalar scalar) const;  // strings bare, the rest as JSON
  const std::string& note() const { return note_; }
  const ScalarPool& pool() const { return values_->pool; }

  std::size_t memory_bytes() const;

 private:
  friend class HistoryBuilder;
  History() : values_(std::make_shared<Values>()) {}

  // The rest of an operation that is more than one key and one value.
  struct Compound {
    std::uint64_t rows_begin, rows_end;
    std::uint64_t predicate_begin, predicate_end;
    std::uint64_t count;  // UINT64_MAX: not known
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
  std::vector<Scalar> txn_name_;  // null: none; empty when no transaction has one
  std::vector<std::array<std::int64_t, 4>> txn_instants_;
  InstantKind instant_kind_ = InstantKind::Nanoseconds;
  std::string instants_reason_;

  Column<OpKind> op_kind_;
  Column<std::uint32_t> op_key_;
  Column<std::uint32_t> op_argument_;           // KeyValueId, or number of the compound
  std::vector<std::uint32_t> statement_begin_;  // the first operation of each; empty: each is one of its own
  std::vector<Compound> compounds_;
  Column<KeyValueId> rows_;
  std::vector<PredicateNode> predicate_nodes_;
  std::vector<std::uint32_t> deletes_found_;      // sorted OpIds of deletes that met a row
  std::vector<std::uint32_t> deletes_not_found_;  // and of those that are known to have met none

  std::vector<Scalar> key_name_;
  std::vector<std::uint8_t> key_is_list_;
  std::vector<KeyValueId> key_initial_;
  std::optional<Scalar> default_initial_ = Scalar::null();

  // Shared by histories that say the same in other words (itemize.h).
  struct Values {
    Column<KeyValue> of_keys;
    ScalarPool pool;
  };
  std::shared_ptr<Values> values_;
  const KeyValue* key_values_ = nullptr;  // values_->of_keys, once it is built
  std::string note_;
};

}  // namespace assay

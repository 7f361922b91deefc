// Builds a History operation by operation; there is no other way to make one.
//
//     HistoryBuilder b;
//     const SessionId s = b.session(Scalar::integer(1));
//     b.read(b.key("x"), Scalar::integer(0));
//     b.write(b.key("x"), Scalar::integer(1));
//     ASSAY_TRY(b.finish({.session = s}));        // closes the transaction
//     Result<History> h = std::move(b).build();
//
// Operations belong to the transaction that the next finish() closes, because many formats give a
// transaction's outcome and times after its operations. finish() reports the first mistake in the
// transaction, and the reader of the format adds where it is in the file.
//
// build() numbers the values of single reads and writes, all at once (value_numbers.h says why). The values
// of rows and list elements are numbered as they arrive: one element occurs in many list reads, and a number
// is smaller than a value. If a history has only rows, it keeps these numbers, so that rows written together
// lie together in memory.
//
// like() starts a translation of another history, such as itemize() makes. Both share keys and values, so
// operations name them by number and nothing is looked up.
#pragma once

#include "base/result.h"
#include "history/history.h"
#include "history/value_numbers.h"

namespace assay {

struct TransactionHead {
  SessionId session;
  std::optional<Scalar> name{};  // unique in the history
  Outcome outcome = Outcome::Committed;
  Instants instants{};
};

struct KeyAndValue {
  KeyId key;
  Scalar value;
};

class HistoryBuilder {
 public:
  HistoryBuilder();
  // Starts with the same sessions, keys, values, initial state and note. Only the operations that take
  // KeyValueIds may be added.
  static HistoryBuilder like(const History& history);

  ScalarPool& pool() { return history_.values_->pool; }

  // Returns the session or key with this name; makes it when it is new.
  SessionId session(Scalar name);
  SessionId session(std::string_view name) { return session(pool().string(name)); }
  SessionId new_session();  // for formats that do not name them: 1, 2, 3, ...
  KeyId key(Scalar name) {  // an integer or a string
    if (name.is_integer() && name.bits < small_integer_keys_.size()) {
      const KeyId known = small_integer_keys_[name.bits];
      if (!known.is_none()) return known;
    }
    return find_or_add_key(name);
  }
  KeyId key(std::string_view name) { return key(pool().string(name)); }
  bool has_key(Scalar name) const;
  std::size_t key_count() const { return history_.key_count(); }
  Scalar name(KeyId key) const { return history_.name(key); }

  void read(KeyId key, Scalar value) { simple(OpKind::Read, key, value); }
  void write(KeyId key, Scalar value) { simple(OpKind::Write, key, value); }
  void append(KeyId key, Scalar element) { simple(OpKind::Append, key, element); }
  void insert(KeyId key, Scalar value) { simple(OpKind::Insert, key, value); }
  void remove(KeyId key, std::optional<bool> found = std::nullopt);
  void list_read(KeyId key, std::span<const Scalar> elements);
  // A read that returned one of these values (null may be among them); nobody knows which. `matched`,
  // `predicate` and `bounds` record why: the key matched the predicate or did not, or it lay in the bounds of
  // a scan.
  void read_one_of(KeyId key, std::span<const Scalar> values, std::optional<bool> matched = {},
                   Predicate predicate = {}, KeyBounds bounds = {});
  // For histories made by like().
  void numbered(OpKind kind, KeyValueId value) {
    pending_.emplace_back(value.value, history_.key(value), kind, ScalarKind::Null, false);
  }
  void numbered(OpKind kind, KeyId key, std::span<const KeyValueId> values, std::optional<bool> matched = {},
                Predicate predicate = {}, KeyBounds bounds = {});
  // One row of an update-maybe. `count`: how many such rows of the statement were changed.
  void conditional_write(KeyValueId value, Predicate predicate, std::optional<std::uint64_t> count);
  // Makes the next operation part of the same statement as the one before it.
  void same_statement() {
    is_joined_.resize(next_operation() + 1);
    is_joined_.back() = true;
  }
  // A read that returned nothing, in formats that write it alike for an empty list and for null. build()
  // decides by what else is known about the key. A key of which nothing else is known is a list if any other
  // key is one.
  void read_nothing(KeyId key);
  void scan(KeyBounds bounds, std::span<const KeyAndValue> rows);
  void select(Predicate predicate, std::span<const KeyAndValue> rows);
  void update(Predicate predicate, std::span<const KeyAndValue> rows);
  void update_maybe(Predicate predicate, std::span<const KeyAndValue> rows,
                    std::optional<std::uint64_t> count = std::nullopt);

  Result<void> finish(const TransactionHead& head);
  void abandon();  // drops the operations since the last finish()
  std::size_t pending_operations() const { return pending_.size(); }

  // nullopt: there is no initial state, and nothing can be read before it is written.
  void set_initial(std::optional<Scalar> value) { history_.default_initial_ = value; }
  void set_initial(KeyId key, Scalar value);
  void set_note(std::string note) { history_.note_ = std::move(note); }
  void set_instant_kind(InstantKind kind) { history_.instant_kind_ = kind; }
  void add_remark(std::string remark) { history_.remarks_.push_back(std::move(remark)); }
  void set_instants_reason(std::string reason) { history_.instants_reason_ = std::move(reason); }
  // Replaces the instants of all finished transactions, for formats in which only the whole file determines
  // them. An empty span removes all instants. Requires are_in_order() of each.
  void set_instants(std::span<const Instants> of_each);

  // For formats that do not promise unique ids: if two transactions have the same name, build() drops the
  // names of all.
  void names_may_repeat() { names_may_repeat_ = true; }

  // For formats in which a read of a value that nobody wrote means the initial state: build() makes such a
  // value the initial value of its key.
  void reads_of_nothing_are_initial() { unwritten_is_initial_ = true; }
  // The same, but only null and this value can mean the initial state.
  void reads_of_nothing_are_initial(Scalar value) {
    unwritten_is_initial_ = true;
    only_initial_ = value;
  }

  std::size_t transaction_count() const { return history_.transaction_count(); }
  Result<History> build() &&;

 private:
  enum class KeyUse : std::uint8_t { None, Register, List };

  // An operation of the transaction that is still open.
  struct Pending {
    std::uint64_t bits;  // of the value, or the index of the compound
    KeyId key;
    OpKind kind;
    ScalarKind value_kind;
    bool has_value;  // false for compounds and for read_nothing()
  };

  void simple(OpKind kind, KeyId key, Scalar value) {
    use(key, kind == OpKind::Append ? KeyUse::List : KeyUse::Register);
    if (value.is_null() && kind != OpKind::Read && kind != OpKind::Delete) note_null_written(key);
    pending_.emplace_back(value.bits, key, kind, value.kind, true);
  }
  void use(KeyId key, KeyUse use) {
    if (key_use_[key.index()] != use) first_use(key, use);
  }

  KeyId find_or_add_key(Scalar name);
  [[gnu::cold]] void first_use(KeyId key, KeyUse use);
  void compound(OpKind kind, KeyId key, std::span<const KeyAndValue> rows, Predicate predicate,
                KeyBounds bounds, std::optional<std::uint64_t> count);
  void finish_compound(OpKind kind, KeyId key, std::size_t rows_begin, Predicate predicate, KeyBounds bounds,
                       std::optional<std::uint64_t> count);
  KeyValueId row_value(KeyId key, Scalar value);
  std::uint32_t next_operation() const;
  [[gnu::cold]] void note_null_written(KeyId key);
  void note_problem(Error problem);
  Result<void> check(const TransactionHead& head);
  static std::array<std::int64_t, 4> packed(const Instants& at);
  bool is_new_name(Scalar name);
  void join_statements();
  void decide_reads_of_nothing();
  void order_sessions();
  Result<void> number_values();
  Result<void> keep_numbers_of_rows();
  Result<void> check_exceptions() const;
  template <class Start>
  Result<void> each_start(Start start) const;
  Result<void> make_unwritten_initial();
  Error list_with_initial(KeyId key) const;

  History history_;
  FlatIndex session_index_, key_index_, row_value_index_, txn_name_index_;
  std::vector<KeyId> small_integer_keys_;                     // keys 0, 1, 2, ... are found without hashing
  std::vector<bool> text_is_txn_name_, integer_is_txn_name_;  // by number of the text, by integer
  Column<Pending> pending_;
  std::vector<bool> is_joined_;  // by operation: in the statement of the one before it; may be shorter
  ValueNumbers values_;          // of the finished transactions
  Column<KeyValue> row_values_;  // until build(), rows are indices into this
  struct FirstOfRow {
    KeyId key;
    KeyValueId value;
  };
  Column<FirstOfRow> first_of_row_;  // by number of a row of columns: the first key that has this row
  std::vector<std::uint32_t> session_size_;
  std::vector<KeyUse> key_use_;
  std::vector<std::pair<KeyId, Scalar>> initial_exceptions_;
  std::vector<KeyAndValue> list_rows_;           // scratch
  std::optional<Error> problem_;                 // of the open transaction
  std::vector<std::uint32_t> reads_of_nothing_;  // OpIds, increasing
  bool names_may_repeat_ = false, names_repeat_ = false;
  bool unwritten_is_initial_ = false;
  bool is_numbered_ = false;  // made by like()
  std::optional<Scalar> only_initial_;
};

}  // namespace assay

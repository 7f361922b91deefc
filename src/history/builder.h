// The only way to make a History.
//
//     HistoryBuilder b;
//     const SessionId s = b.session(Scalar::integer(1));
//     b.read(b.key("x"), Scalar::integer(0));
//     b.write(b.key("x"), Scalar::integer(1));
//     ASSAY_TRY(b.finish({.session = s}));        // closes the transaction
//     Result<History> h = std::move(b).build();
//
// The values of single reads and writes get their numbers in build(), all at once (value_numbers.h says why).
// Rows are numbered as they come: each value of a list stands in many list reads, and a number is
// smaller than a value. Where there are only rows these numbers stay, so that rows which were written
// together are found together.
//
// Operations belong to the transaction that the next finish() closes, because many formats say a
// transaction's outcome and times after its operations. finish() is where mistakes come out: it
// reports the first thing wrong with the transaction, and the reader adds where it stands.
//
// A history that says in other words what another one says is built like that one: they share keys and
// values, which are said by their numbers and need no looking up.
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
  // The same sessions, keys, values, initial state and note. Only operations that take KeyValueIds may be
  // added.
  static HistoryBuilder like(const History& history);

  ScalarPool& pool() { return history_.values_->pool; }

  // The session, key with this name; made when new.
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

  void read(KeyId key, Scalar value) { simple(OpKind::Read, key, value); }
  void write(KeyId key, Scalar value) { simple(OpKind::Write, key, value); }
  void append(KeyId key, Scalar element) { simple(OpKind::Append, key, element); }
  void insert(KeyId key, Scalar value) { simple(OpKind::Insert, key, value); }
  void remove(KeyId key, std::optional<bool> found = std::nullopt);
  void list_read(KeyId key, std::span<const Scalar> elements);
  // A read of which it is only known that it returned one of these, maybe null; and what said so: whether the
  // key matched a predicate, or the bounds of a scan.
  void read_one_of(KeyId key, std::span<const Scalar> values, std::optional<bool> matched = {},
                   Predicate predicate = {}, KeyBounds bounds = {});
  // For histories built like another.
  void numbered(OpKind kind, KeyValueId value) {
    pending_.emplace_back(value.value, history_.key(value), kind, ScalarKind::Null, false);
  }
  void numbered(OpKind kind, KeyId key, std::span<const KeyValueId> values, std::optional<bool> matched = {},
                Predicate predicate = {}, KeyBounds bounds = {});
  // An update-maybe of a single row; the count is of all those of the statement.
  void conditional_write(KeyValueId value, Predicate predicate, std::optional<std::uint64_t> count);
  // The next operation belongs to the same statement as the one before it.
  void same_statement() {
    is_joined_.resize(next_operation() + 1);
    is_joined_.back() = true;
  }
  // A read that returned nothing, in formats where that is the empty list or null, depending on the
  // key: build() decides. A key of which nothing else is known is a list if any other key is one.
  void read_nothing(KeyId key);
  void scan(KeyBounds bounds, std::span<const KeyAndValue> rows);
  void select(Predicate predicate, std::span<const KeyAndValue> rows);
  void update(Predicate predicate, std::span<const KeyAndValue> rows);
  void update_maybe(Predicate predicate, std::span<const KeyAndValue> rows,
                    std::optional<std::uint64_t> count = std::nullopt);

  Result<void> finish(const TransactionHead& head);
  void abandon();  // forgets the operations since the last finish()
  std::size_t pending_operations() const { return pending_.size(); }

  // nullopt: nothing can be read before it was written.
  void set_initial(std::optional<Scalar> value) { history_.default_initial_ = value; }
  void set_initial(KeyId key, Scalar value);
  void set_note(std::string note) { history_.note_ = std::move(note); }
  void set_instant_kind(InstantKind kind) { history_.instant_kind_ = kind; }
  void set_instants_reason(std::string reason) { history_.instants_reason_ = std::move(reason); }
  // Replaces the instants of all finished transactions, for formats in which only the whole file says what
  // they are. Empty: no transaction has any. Requires are_in_order() of each.
  void set_instants(std::span<const Instants> of_each);

  // For formats whose ids are not promised to be unique: if any two transactions turn out to have the
  // same name, all go without.
  void names_may_repeat() { names_may_repeat_ = true; }

  // For formats in which a read of something nobody wrote means the initial state: such a value
  // becomes its key's initial one. Call before build().
  void reads_of_nothing_are_initial() { unwritten_is_initial_ = true; }
  // The same, where only null and this one value can mean the initial state.
  void reads_of_nothing_are_initial(Scalar value) {
    unwritten_is_initial_ = true;
    only_initial_ = value;
  }

  std::size_t transaction_count() const { return history_.transaction_count(); }
  Result<History> build() &&;

 private:
  enum class KeyUse : std::uint8_t { None, Register, List };

  // An operation of the transaction that is not finished yet.
  struct Pending {
    std::uint64_t bits;  // of its value, or the number of its compound
    KeyId key;
    OpKind kind;
    ScalarKind value_kind;
    bool has_value;  // one that is known: not of a compound, nor of read_nothing()
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
  std::vector<KeyId> small_integer_keys_;                     // keys that are 0, 1, 2, ... need no hashing
  std::vector<bool> text_is_txn_name_, integer_is_txn_name_;  // by number
  Column<Pending> pending_;
  std::vector<bool>
      is_joined_;  // by operation, up to the last one that belongs to the statement of the one before it
  ValueNumbers values_;          // of the finished transactions
  Column<KeyValue> row_values_;  // until build(), rows are numbers of these
  struct FirstOfRow {
    KeyId key;
    KeyValueId value;
  };
  Column<FirstOfRow> first_of_row_;  // by number of a row of columns: the first key that has it
  std::vector<std::uint32_t> session_size_;
  std::vector<KeyUse> key_use_;
  std::vector<std::pair<KeyId, Scalar>> initial_exceptions_;
  std::vector<KeyAndValue> list_rows_;           // scratch
  std::optional<Error> problem_;                 // of the transaction being built
  std::vector<std::uint32_t> reads_of_nothing_;  // their OpIds, increasing
  bool names_may_repeat_ = false, names_repeat_ = false;
  bool unwritten_is_initial_ = false;
  bool is_numbered_ = false;  // like another history
  std::optional<Scalar> only_initial_;
};

}  // namespace assay

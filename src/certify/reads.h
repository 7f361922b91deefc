// Who can have written what was read, given which transactions may have taken effect.
//
// A read is *own* when it returns the transaction's last write of the key; otherwise *external*, or it
// contradicts the transaction's own operations. The external part of a list read is what stands before the
// transaction's own appends. docs/certificates.md, "Which transactions count", is what this implements.
//
// Linear in the history, but for the unknown transactions: they are read again for each round in which one
// of them turns out to have a wrong read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "certify/outcomes.h"
#include "history/history.h"
#include "isolation/level.h"
#include "isolation/point_rules.h"

namespace assay {

struct Positions;

// An error unless certificates can speak about this history at this level, with this skew.
Result<void> certifiable(const History& history, Level level, std::int64_t skew);

// How a certificate calls them.
std::string called(TxnId t);
std::string called(const History& history, OpId op);

class Reads {
 public:
  enum class Kind : std::uint8_t { NoRead, Own, External, Contradiction, Unrepeatable };
  struct Writer {
    enum class Kind : std::uint8_t { None, Initial, One, Several } kind;
    TxnId txn{};
  };

  // `exists`: which transactions may have taken effect.
  Reads(const History& history, Level level, std::vector<bool> exists);
  // Those that have a place in the order.
  static Reads of_those_in(const History& history, Level level, const Positions& order);
  // All but the aborted ones and the unknown ones that read something wrong; counts() is known then.
  static Reads of_what_must_have_happened(const History& history, Level level);

  Kind kind(OpId op) const { return kind_[op.index()]; }
  // Of a list read.
  std::span<const KeyValueId> external_part(OpId op) const {
    return h_.rows(op).first(external_size_[op.index()]);
  }
  bool shows_own_elements(OpId op) const { return external_size_[op.index()] < h_.rows(op).size(); }

  // Of an external read.
  Writer writer(OpId op) const;
  std::vector<TxnId> possible_writers(OpId op) const;  // none() is the initial transaction
  // Of a conditional write, which is an external read too: those whose version decides that it took place, or
  // that it did not.
  std::vector<TxnId> deciding_writers(OpId write, bool took) const;
  bool is_possible_writer(OpId op, TxnId writer) const;
  // The first external read of the key in the transaction.
  OpId first_read(OpId op) const { return first_read_[op.index()]; }
  // Whether nothing can explain the read.
  bool is_wrong(OpId op) const;

  bool may_have_happened(TxnId t) const { return exists_[t.index()]; }
  bool counts(TxnId t) const { return counts_[t.index()]; }
  TxnId transaction(OpId op) const { return transaction_[op.index()]; }
  std::span<const KeyId> keys_written(TxnId t) const;
  bool writes(TxnId t, KeyId key) const;
  // By which the transaction may have written the key; none() if it did, certainly, or did not.
  OpId conditional_write(TxnId t, KeyId key) const;
  // The same of the key of an operation.
  OpId conditional_write_of(OpId op, TxnId t) const {
    return conditional_.empty() ? OpId::none() : conditional_write(t, h_.key(op));
  }
  std::span<const OpId> conditional_writes(OpId of_statement) const;
  bool is_final(OpId write) const { return next_write_[write.index()].is_none(); }
  // The transaction that appended this element, if only one can have; none() otherwise.
  TxnId only_appender(KeyValueId element) const;

 private:
  // For each value, the writes of it that may have taken effect.
  class WritesOf {
   public:
    void count(KeyValueId kv) { ++end_[kv.index() + 1]; }
    void add(KeyValueId kv, OpId op) { ops_[end_[kv.index()]++] = op; }
    void remove(KeyValueId kv, OpId op);
    void reserve(std::size_t values);
    void allocate();
    std::span<const OpId> operator[](KeyValueId kv) const;

   private:
    std::vector<std::uint32_t> begin_, end_;
    std::vector<OpId> ops_;
  };

  struct OfKey;
  void classify(TxnId t, std::vector<OfKey>& keys);
  Kind classify_list_read(OpId op, OfKey& key);
  Kind classify_read(OpId op, OfKey& key);
  bool may_return(OpId op, KeyValueId value) const;
  template <class Visit>
  void each_value(OpId op, Visit visit) const;
  template <class Accepts>
  std::vector<TxnId> possible_writers(OpId op, Accepts accepts) const;
  void index_writes();
  void drop(TxnId t);
  void drop_unknown_with_wrong_reads();
  void decide_what_counts();
  bool list_is_wrong(OpId op) const;
  bool may_be_initial(OpId op) const;

  const History& h_;
  bool repeatable_;
  std::vector<bool> exists_, counts_;
  std::vector<Kind> kind_;                    // by operation, as the next five
  std::vector<std::uint32_t> external_size_;  // of list reads
  std::vector<OpId> first_read_;
  // By external read: what it can have returned, where some read of its key says only that. Where reads
  // repeat, of the first one, for all.
  std::unordered_map<std::uint32_t, std::vector<KeyValueId>> possible_;
  std::vector<TxnId> transaction_;
  std::vector<OpId> next_write_;  // of the same key in the same transaction
  std::vector<bool> first_write_;
  std::vector<std::uint32_t> keys_begin_;  // keys_written(t)
  std::vector<KeyId> keys_;
  WritesOf finals_, appends_;
  std::vector<OpId> conditional_;                           // in order
  std::unordered_map<std::uint64_t, OpId> conditional_of_;  // by transaction and key
  std::optional<NamedValues> values_;                       // if there are any
};

}  // namespace assay

// Finds which transactions can have written what was read, given which transactions may have taken effect.
//
// A read is *own* if it returns the transaction's last write of the key. Otherwise it is *external*, or it
// contradicts the transaction's own operations. The external part of a list read is what comes before the
// transaction's own appends. This implements docs/certificates.md, "Which transactions count".
//
// Linear in the history, except for transactions of unknown outcome: they are classified again in each round
// that finds a wrong read in one of them.
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

// Returns an error unless certificates cover this history at this level, with this skew.
Result<void> certifiable(const History& history, Level level, std::int64_t skew);

// The names that certificates use.
std::string called(TxnId t);
std::string called(const History& history, OpId op);

class Reads {
 public:
  enum class Kind : std::uint8_t { NoRead, Own, External, Contradiction, Unrepeatable };
  struct Writer {
    enum class Kind : std::uint8_t { None, Initial, One, Several } kind;
    TxnId txn{};
  };

  // `exists` says which transactions may have taken effect.
  Reads(const History& history, Level level, std::vector<bool> exists);
  // The reads given that exactly the transactions in the order took effect.
  static Reads of_those_in(const History& history, Level level, const Positions& order);
  // The reads given that any transaction may have taken effect, except aborted ones and unknown ones with a
  // wrong read. Also computes counts().
  static Reads of_what_must_have_happened(const History& history, Level level);

  Kind kind(OpId op) const { return kind_[op.index()]; }
  // For a list read.
  std::span<const KeyValueId> external_part(OpId op) const {
    return h_.rows(op).first(external_size_[op.index()]);
  }
  bool shows_own_elements(OpId op) const { return external_size_[op.index()] < h_.rows(op).size(); }

  // For an external read.
  Writer writer(OpId op) const;
  std::vector<TxnId> possible_writers(OpId op) const;  // none() is the initial transaction
  // For a conditional write, which is an external read too: the possible writers whose versions imply that
  // it took place, or that it did not.
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
  // The conditional write by which the transaction may have written the key; none() if it certainly did or
  // did not.
  OpId conditional_write(TxnId t, KeyId key) const;
  // The same for the key of an operation.
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
  std::vector<Kind> kind_;                    // by operation, as are the next five
  std::vector<std::uint32_t> external_size_;  // for list reads
  std::vector<OpId> first_read_;
  // By external read: the values that it can have returned, if some read of its key does not name one value.
  // At levels with repeatable reads, the first read of a key has the entry for all.
  std::unordered_map<std::uint32_t, std::vector<KeyValueId>> possible_;
  std::vector<TxnId> transaction_;
  std::vector<OpId> next_write_;  // the next write of the same key in the same transaction
  std::vector<bool> first_write_;
  std::vector<std::uint32_t> keys_begin_;  // keys_written(t)
  std::vector<KeyId> keys_;
  WritesOf finals_, appends_;
  std::vector<OpId> conditional_;                           // sorted
  std::unordered_map<std::uint64_t, OpId> conditional_of_;  // by transaction and key
  std::optional<NamedValues> values_;                       // if there are conditional writes
};

}  // namespace assay

// Records the operations of simulated clients as a History.
//
// A transaction is recorded when it ends, so ids follow the order of completion. Transactions are named by
// that order, from 1; so are sessions.
#pragma once

#include <span>
#include <vector>

#include "history/builder.h"
#include "simulate/generator.h"
#include "simulate/store.h"
#include "simulate/workload.h"

namespace assay {

struct RecordedOperation {
  OpKind kind;
  StoreKey key;
  std::int64_t value = 0;                      // of a read, write, append, insert
  std::uint32_t list_begin = 0, list_end = 0;  // elements of a list read; rows of a scan, select, update
  StoreKey last{};                             // of a scan
  RowFilter filter{};                          // of a select, update
  bool found = false;                          // of a delete: whether there was a row
};

struct RecordedTransaction {
  std::vector<RecordedOperation> operations;
  std::vector<Scalar> elements;
  std::vector<StoreWrite> rows;
  Instants instants;

  void clear();
};

class Recorder {
 public:
  // The workload gives the names of keys.
  Recorder(const GeneratorOptions& options, const Workload& workload);

  Result<TxnId> record(SessionId session, const RecordedTransaction& transaction, Outcome outcome);
  std::uint64_t recorded() const { return counts_[0] + counts_[1] + counts_[2]; }
  Result<Generated> finish(std::vector<TxnId> injected) &&;

 private:
  KeyId key(StoreKey key);
  Scalar scalar(std::int64_t value);
  Scalar column_name(RowColumn column) const { return columns_[static_cast<std::size_t>(column)]; }
  void operation(const RecordedTransaction& transaction, const RecordedOperation& op);
  void set_initial_rows();
  std::span<const KeyAndValue> rows(const RecordedTransaction& transaction, const RecordedOperation& op);
  std::span<const PredicateNode> predicate(const RowFilter& filter);
  Instants shown(Instants instants, Outcome outcome) const;

  const RecordedInstants instants_;
  const Workload& workload_;
  const bool two_columns_;
  HistoryBuilder builder_;
  std::vector<Scalar> columns_;           // names of RowColumn
  std::vector<KeyId> keys_;               // by StoreKey; none() until the key is used
  std::uint64_t counts_[3] = {};          // by Outcome
  std::vector<KeyAndValue> rows_;         // scratch
  std::vector<PredicateNode> predicate_;  // scratch
};

}  // namespace assay

// What the clients of a simulated run write down, as a History.
//
// Transactions are recorded when they end, so their ids are the order in which they completed; they
// are named by it, from 1, and sessions from 1 too.
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
  std::int64_t value = 0;  // of a read, write, append, insert
  std::uint32_t list_begin = 0,
                list_end = 0;  // of a list read, in elements; of a scan, select, update, in rows
  StoreKey last{};             // of a scan
  RowFilter filter{};          // of a select, update
  bool found = false;          // of a delete: a row
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
  // The workload says what keys are called.
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
  std::vector<KeyId> keys_;               // by StoreKey; none until it is used
  std::uint64_t counts_[3] = {};          // by Outcome
  std::vector<KeyAndValue> rows_;         // scratch
  std::vector<PredicateNode> predicate_;  // scratch
};

}  // namespace assay

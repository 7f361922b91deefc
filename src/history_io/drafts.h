// Collects transactions that are complete only when the whole input has been read.
//
// HistoryBuilder needs the operations of a transaction together, and its name with them. Two formats cannot
// give that: lines of several transactions may alternate, and an id is a usable name only if no other
// transaction has it. So Drafts keeps the operations, 24 bytes each, and finally passes them to the builder
// by transaction, in the order in which the transactions began.
#pragma once

#include <deque>
#include <vector>

#include "history/builder.h"

namespace assay {

class Drafts {
 public:
  explicit Drafts(HistoryBuilder& builder) : builder_(builder) {}

  // Returns the number of the new transaction. `id` becomes its name if all ids differ.
  std::size_t begin(SessionId session, std::optional<std::int64_t> id, Outcome outcome);
  void set_outcome(std::size_t draft, Outcome outcome) { drafts_[draft].outcome = outcome; }
  // Adds a read or write; no value means null.
  void add(std::size_t draft, OpKind kind, KeyId key, std::optional<std::int64_t> value);

  // Passes everything to the builder, with names only if all ids differ.
  Result<void> finish();

 private:
  struct Draft {
    SessionId session;
    Outcome outcome;
    std::optional<std::int64_t> id;
  };
  struct Operation {
    std::size_t draft;
    std::int64_t value;
    KeyId key;
    OpKind kind;
    bool is_null;
  };

  HistoryBuilder& builder_;
  std::vector<Draft> drafts_;
  std::deque<Operation> operations_;  // grows without moving its elements
};

}  // namespace assay

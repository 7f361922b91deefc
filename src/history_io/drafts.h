// Transactions that are complete only when the whole input has been read.
//
// HistoryBuilder wants a transaction's operations together and its name with them. Two formats
// cannot give that: operations of several transactions may alternate line by line, and an id is a
// name only if no other transaction turns out to have it. So operations are kept as they come, 24
// bytes each, and handed over by transaction, in the order in which transactions were begun.
#pragma once

#include <deque>
#include <vector>

#include "history/builder.h"

namespace assay {

class Drafts {
 public:
  explicit Drafts(HistoryBuilder& builder) : builder_(builder) {}

  // The number of the new transaction. `id`: its name, if no other turns out to have the same.
  std::size_t begin(SessionId session, std::optional<std::int64_t> id, Outcome outcome);
  void set_outcome(std::size_t draft, Outcome outcome) { drafts_[draft].outcome = outcome; }
  // A read or write; no value: null.
  void add(std::size_t draft, OpKind kind, KeyId key, std::optional<std::int64_t> value);

  // Hands everything to the builder. Names are given only when all ids differ.
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
  std::deque<Operation> operations_;  // grows without moving what is there
};

}  // namespace assay

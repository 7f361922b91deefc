// Transactions, keys and values in sentences, as the input calls them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

class Words {
 public:
  // `values`: by operation, what it wrote or read.
  Words(const History& history, std::span<const std::string> values) : h_(history), values_(values) {}

  std::string of(TxnId t) const;    // T1; transaction 17, where the name is a number
  std::string of(KeyId key) const;  // x; key 5
  // x=1, key 5=1, l=[1 2]: what an operation wrote or read.
  std::string of(OpId op) const;
  const std::string& value(OpId op) const { return values_[op.index()]; }  // 1, [1 2]

  // A sentence that begins with one of these words, with a capital. Names stay as they are.
  static std::string sentence(std::string text);

  std::string session_order(TxnId first, TxnId second) const;
  std::string read_from(OpId read, TxnId writer) const;
  // The writer is none() where the initial version was read.
  std::string read_older(OpId read, TxnId writer, OpId overwriting) const;
  std::string shown(OpId list, OpId first, OpId second) const;
  std::string wrote_before(TxnId first, TxnId second, KeyId key) const;  // without a full stop

 private:
  const History& h_;
  std::span<const std::string> values_;
};

// What the operations of a part wrote or read in the whole history, where they are `origin`. A long list is
// left with the elements that it has in the part, and an ellipsis for each run of others.
std::vector<std::string> values_of(const History& part, const History& whole, std::span<const OpId> origin);

}  // namespace assay

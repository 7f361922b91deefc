// Transactions, keys and values in sentences, as the input calls them.
#pragma once

#include <string>

#include "explain/explanation.h"

namespace assay {

class Words {
 public:
  explicit Words(const History& history) : h_(history) {}

  std::string of(TxnId t) const;    // T1; transaction 17, where the name is a number
  std::string of(KeyId key) const;  // x; key 5
  // x=1, key 5=1, l=[1 2]: what an operation wrote or read.
  std::string of(OpId op) const;
  std::string value(OpId op) const;  // 1, [1 2]

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
};

}  // namespace assay

// Finds the transaction of an operation. Evidence names operations as "the third of transaction 12".
#pragma once

#include "history/history.h"

namespace assay {

// By binary search: O(log transactions).
inline TxnId transaction_of(const History& history, OpId op) {
  std::size_t low = 0, high = history.transaction_count();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (history.operations(TxnId(middle)).first <= op ? low : high) = middle;
  }
  return TxnId(low);
}

}  // namespace assay

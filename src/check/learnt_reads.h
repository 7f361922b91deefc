// Adds reads to the facts while the search is under way: finds the versions that each may have returned.
#pragma once

#include <functional>
#include <optional>

#include "check/known_order.h"

namespace assay {

// An additional read: it returned some version whose value satisfies `fits`. The reader has not written the
// key before.
struct NewRead {
  TxnId reader;
  KeyId key;
  std::function<bool(KeyValueId)> fits;
};

class LearntReads {
 public:
  // The reads with their candidate versions; nothing if a read has none. Versions of transactions that only
  // may count are left out. That is sound: an execution without them explains the history, and if none is
  // found, the history is judged again from the start. `known` belongs to the search that continues, or is
  // null.
  std::optional<std::vector<LateRead>> fitting(HistoryFacts& facts, KnownOrder* known,
                                               std::span<const NewRead> reads);

 private:
  std::vector<KeyValueId> values_;  // by version; computed on first use
};

}  // namespace assay

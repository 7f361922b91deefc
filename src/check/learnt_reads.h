// Reads that become known when an execution is found: which versions of what is known fit them.
#pragma once

#include <functional>
#include <optional>

#include "check/known_order.h"

namespace assay {

// Of a key, what a transaction read besides: some version with a value that fits. It has not written the key
// before.
struct NewRead {
  TxnId reader;
  KeyId key;
  std::function<bool(KeyValueId)> fits;
};

class LearntReads {
 public:
  // Nothing where there is no version that fits. Versions of transactions that need not count are left out:
  // an execution that is found without them is right, and what is not found is judged once more from the
  // start. `known`: of the search that goes on, if one does.
  std::optional<std::vector<LateRead>> fitting(HistoryFacts& facts, KnownOrder* known,
                                               std::span<const NewRead> reads);

 private:
  std::vector<KeyValueId> values_;  // by version; found when they are first needed
};

}  // namespace assay

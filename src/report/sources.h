// Finds the transaction that a read read from, for display.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

class Sources {
 public:
  explicit Sources(const History& history);

  // The name of the only transaction that wrote the value of the read (for a list, its last element), or
  // "initial". Nothing when there are several writers or none, or when the operation is not a read of one
  // key.
  std::optional<std::string> of(OpId op) const;

 private:
  struct Writers {
    TxnId first{};
    bool several = false;
  };
  const History& h_;
  std::vector<Writers> writers_;  // by KeyValueId
};

}  // namespace assay

// Whom a read read from, for display.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

class Sources {
 public:
  explicit Sources(const History& history);

  // The name of the only transaction that wrote what was read (of a list, its last element), or "initial";
  // nothing when there are several, none, or the operation is no read of one key.
  std::optional<std::string> of(OpId op) const;

 private:
  struct Writers {
    TxnId first{};
    bool several = false;
  };
  const History& h_;
  std::vector<Writers> writers_;  // by value of a key
};

}  // namespace assay

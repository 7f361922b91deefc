// The same history, said differently.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay::test {

struct Rebuilding {
  std::vector<SessionId> sessions;  // in their new order; all of them
  std::function<std::string(KeyId)> key_name;
  std::function<std::int64_t(KeyId, std::int64_t)> value;  // of integers; other values stay
  std::function<std::int64_t(std::int64_t)> instant;
  std::function<Outcome(TxnId)> outcome;
  bool only_begin_and_end = false;  // of the four instants
};

// Changes nothing. Refers to `history`.
Rebuilding as_it_is(const History& history);

// Registers and lists only.
History rebuild(const History& history, const Rebuilding& how);

}  // namespace assay::test

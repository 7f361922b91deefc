// The size and composition of a history: the numbers to look at before judging it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "history/history.h"

namespace assay {

inline constexpr std::size_t kOpKinds = 11;

struct Statistics {
  std::size_t sessions = 0, transactions = 0, operations = 0, keys = 0;
  std::size_t committed = 0, aborted = 0, unknown = 0;
  std::array<std::size_t, kOpKinds> operations_of{};  // by OpKind
  std::size_t read_only = 0, write_only = 0;          // transactions with at least one operation
  std::size_t longest_transaction = 0, longest_session = 0;

  // A value is duplicated when two transactions that may have committed wrote it to the same key, or when one
  // of them wrote the key's initial value again.
  std::size_t written_values = 0, duplicate_values = 0, keys_with_duplicates = 0;
  std::size_t reads_with_several_writers = 0;

  // These count only transactions with begin and end.
  std::size_t timed = 0;
  std::optional<std::int64_t> first_instant, last_instant;
  std::size_t most_concurrent = 0;  // at one instant
  double mean_concurrent = 0;       // averaged over the time in which any transaction runs
};

Statistics statistics(const History& history);

}  // namespace assay

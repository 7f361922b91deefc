// Arbitrary small histories, for comparing judges.
//
// No store stands behind them: a random execution supplies plausible values, and every read may
// deviate from it by chance. How much is drawn anew for each history, so that each level accepts some
// and rejects some, whatever its strength. The shapes that published checkers got wrong
// are all in: re-reads, reads of the initial value, writes of it, repeated values, aborted and
// unknown writers, blind writes, several transactions per session.
#pragma once

#include "base/random.h"
#include "history/history.h"

namespace assay::test {

struct RandomHistoryOptions {
  std::size_t least_transactions = 2, most_transactions = 6;
  std::size_t most_sessions = 4;
  std::size_t most_keys = 3;
  std::size_t most_operations = 4;  // of a transaction
  bool instants = false;
  bool lists = true;              // may occur
  double list_share = 0.15;       // of the keys
  bool unknown = true;            // outcomes may be
  bool aborted = true;            // transactions may be
  double least_odd_outcomes = 0;  // the chance of either
  bool repeated_values = true;
};

History random_history(Random& random, const RandomHistoryOptions& options = {});

}  // namespace assay::test

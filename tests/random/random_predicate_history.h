// Arbitrary small histories of rows: inserts, deletes, scans, and reads and writes by predicate beside plain
// ones.
//
// As random_history.h, with the same idea: a random execution supplies plausible answers, each transaction
// sees some snapshot, and whatever is returned may deviate from it by chance. Rows are scalars or objects;
// values are few, or each is written once; keys start as nothing, as a row, or as what cannot be read.
#pragma once

#include "base/random.h"
#include "history/history.h"

namespace assay::test {

struct RandomPredicateOptions {
  std::size_t least_transactions = 2, most_transactions = 5;
  std::size_t most_sessions = 4;
  std::size_t most_keys = 3;
  std::size_t most_operations = 4;     // of a transaction
  std::size_t most_possible_rows = 5;  // of all update-maybe operations
  double update_maybes = 0;            // of the operations, besides those that come by chance
  bool odd_outcomes = true;            // aborted and unknown ones may occur
  bool more_kinds = false;             // also reads of one of several values, and a list beside the rows
  bool instants = false;
};

History random_predicate_history(Random& random, const RandomPredicateOptions& options = {});

}  // namespace assay::test

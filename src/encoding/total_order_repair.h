// Finds the constraints that the current execution violates, at levels with a total order, and adds choices
// and clauses that repair this.
//
// The first pass checks the keys that the guess breaks (dependency/guess.h). Every later pass checks only
// near transactions that have moved since: their reads, and the stretches of keys through which they moved as
// writers. Two kinds of keys are checked completely whenever a pass concerns them: keys with versions that
// exist only in some executions, and keys with a violation in the last pass that the search may settle
// without moving a transaction.
#pragma once

#include "dependency/guess.h"
#include "encoding/key_check.h"

namespace assay {

class TotalOrderRepair {
 public:
  TotalOrderRepair(const SearchProblem& problem, Guess guess, DynamicOrder& execution, Choices& choices,
                   OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses);

  // Returns early if the search is abandoned.
  void run(const Abandoned& abandoned);

 private:
  void look_where_something_moved();
  void look_at_reads_of(std::span<const TxnId> moved);
  void look_at_writes_of(std::span<const TxnId> moved);
  bool keep_or_add_dirty(KeyId key);

  const ReadFacts& facts_;
  const VersionIndex& versions_;
  const Points points_;
  const DynamicOrder& execution_;
  const Choices& choices_;
  const VersionChoices& version_choices_;
  const Clauses& clauses_;
  DirtyKeys dirty_;
  std::vector<bool> is_suspect_;  // by key: the guess may violate it, and no pass has checked it yet
  KeyOrders orders_;
  KeyCheck check_;
};

}  // namespace assay

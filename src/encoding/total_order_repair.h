// Finds what the execution at hand breaks, at levels with a total order, and adds the choices and clauses
// that it takes to repair that.
//
// The first pass checks the keys that the guess breaks (dependency/guess.h). Every later pass looks only near
// transactions that have moved since: at their reads, and at the stretches of keys that they moved through as
// writers. Two kinds of keys are checked as a whole in every pass that concerns them: keys whose versions may
// come and go, and keys of which the last pass found something broken that the search can settle without
// moving anything.
#pragma once

#include "dependency/guess.h"
#include "encoding/key_check.h"

namespace assay {

class TotalOrderRepair {
 public:
  TotalOrderRepair(const SearchProblem& problem, Guess guess, DynamicOrder& execution, Choices& choices,
                   OrderChoices& order_choices, VersionChoices& version_choices, Clauses& clauses);

  // When the search is abandoned meanwhile, the rest is left unchecked.
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
  std::vector<bool> is_suspect_;  // by key: the guess may break it, and no pass has checked it yet
  KeyOrders orders_;
  KeyCheck check_;
};

}  // namespace assay

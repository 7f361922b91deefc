// What an execution gets wrong of what statements say without saying a value.
//
// A statement with a predicate says of every key that it ranges over whether what it met matched; of a large
// table that is far more than a search could carry along, and nearly all of it is true by itself. So an
// execution is looked for without these reads, and then run: those it breaks are made (history/itemize.h),
// and the search begins again. When none is broken, the execution explains all of them; when there is no
// execution, leaving reads out did not cause it.
//
// It is the same with rows that an update-maybe may have changed. A run decides each of them: the row is
// changed if what is there matches. Where that spoils what somebody read, the rows of the key are made.
//
// Of reads that one transaction's version spoils for one reader only some are named, since what mends one
// mostly mends all. Cost: one pass over the rows for each statement (history/table_state.h).
#pragma once

#include <vector>

#include "base/budget.h"
#include "history/itemize.h"
#include "verdict/verdict.h"

namespace assay {

struct Replayed {
  std::vector<Invisible> broken;  // invisible reads, sorted
  std::vector<KeyId>
      keys;  // sorted; of the rows that were decided: where a read is broken, a count, or writers overlap
  std::vector<Truth> truths;  // those that were given, and those that were decided
};

// Of a level with a total order; of broken reads at most `per_writer` of each reader and writer. `rows` are
// separate ones, to be decided on the way. `exclusive`: writers of a key must not overlap. A budget that is
// spent ends it early: what it says then is not all there is.
Replayed replay(const History& history, std::span<const Truth> truths, std::span<const Invisible> rows,
                const Order& order, bool exclusive, std::size_t per_writer,
                Budget& budget = Budget::unlimited());

}  // namespace assay

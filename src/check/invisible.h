// Replays an execution to find the invisible reads that it contradicts.
//
// A statement with a predicate says of every key in its range whether the version that it read matched. On a
// large table these invisible reads are far more than a search can handle, and nearly any execution explains
// most of them. So the search ignores them at first, and its execution is replayed. The reads that the
// execution contradicts become explicit reads (history/itemize.h), and the search starts again. If the
// execution contradicts none, it explains all of them. If there is no execution, the ignored reads are not
// the reason, since ignoring them only allows more executions.
//
// Rows that an update-maybe may have changed are treated alike. The replay decides each of them: the row is
// changed if the current version matches. If that contradicts another read, the rows of the key become part
// of the search.
//
// If one writer's version contradicts many reads of one reader, only some of these are reported, because
// correcting one usually corrects the others. Cost: one pass over the rows for each statement
// (history/table_state.h).
#pragma once

#include <vector>

#include "base/budget.h"
#include "history/itemize.h"
#include "verdict/verdict.h"

namespace assay {

struct Replayed {
  std::vector<Invisible> broken;  // contradicted invisible reads, sorted
  std::vector<KeyId>
      keys;  // sorted; keys of decided rows with a wrong read or count, or with overlapping writers
  std::vector<Truth> truths;  // the given outcomes and the decided ones
};

// Replays an execution of a level with a total order. Reports at most `per_writer` contradicted reads for
// each reader and writer. `rows` are separate rows, which the replay decides. With `exclusive`, writers of a
// key must not overlap. If the budget runs out, the result is incomplete.
Replayed replay(const History& history, std::span<const Truth> truths, std::span<const Invisible> rows,
                const Order& order, bool exclusive, std::size_t per_writer,
                Budget& budget = Budget::unlimited());

}  // namespace assay

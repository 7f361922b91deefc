// Finds the invisible reads at cc and psi that the reader's past does not explain.
//
// A read of the newest version in its reader's past adds no constraint: the writer is in the past already,
// and no newer writer of the key is. So an invisible read is explained if that version gives the statement's
// answer.
//
// The sessions are processed one by one, each with one table of current versions. A transaction that enters
// the past writes its versions to the table where they are newer. Cost: the writes of the whole history for
// each session, and a pass over the table for each statement.
#pragma once

#include <functional>

#include "base/budget.h"
#include "check/execution_view.h"
#include "history/itemize.h"

namespace assay {

// Calls broken(read, writer of the newest version in the past) for each invisible read that is not explained.
// `view` is of the items. Ends early if the budget is spent.
Result<void> look_at_pasts(const History& history, const Items& items, Level level, const ExecutionView& view,
                           Budget& budget, const std::function<void(Invisible, TxnId)>& broken);

}  // namespace assay

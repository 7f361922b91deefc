// Statements at cc and psi, on what is in their reader's past.
//
// A statement that reads, of each key, the newest version in its reader's past says nothing new: its writer
// is in the past already, and no newer one is. So an invisible read without a writer of its own is explained
// if that version fits.
//
// Session by session, on one table: what comes into the past of a transaction is written to it where it is
// newer than what is there. Cost: the writes of the whole history for each session, and a pass over the table
// for each statement.
#pragma once

#include <functional>

#include "base/budget.h"
#include "check/execution_view.h"
#include "history/itemize.h"

namespace assay {

// Calls broken(read, writer of the version that is there) for the invisible reads that are not explained so.
// `view` is of the items. A budget that is spent ends it early.
Result<void> look_at_pasts(const History& history, const Items& items, Level level, const ExecutionView& view,
                           Budget& budget, const std::function<void(Invisible, TxnId)>& broken);

}  // namespace assay

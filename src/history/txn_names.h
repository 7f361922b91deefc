// Transactions must be told apart by what they are called: explanations and converted files name them.
#pragma once

#include "base/result.h"
#include "history/history.h"

namespace assay {

// An error if two transactions are displayed the same: the text "1" beside the number 1, or a name like that
// of a transaction without one, SESSION:NUMBER. Linear; of names that are numbers only a look at each.
Result<void> check_transaction_names(const History& history);

}  // namespace assay

// Transactions must be displayed differently: explanations and converted files refer to them by name.
#pragma once

#include "base/result.h"
#include "history/history.h"

namespace assay {

// Returns an error if two transactions are displayed alike: the text "1" beside the number 1, or a name that
// equals SESSION:NUMBER, the display of an unnamed transaction. Linear; cheap where all names are numbers.
Result<void> check_transaction_names(const History& history);

}  // namespace assay

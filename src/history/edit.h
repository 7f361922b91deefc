// A smaller history out of a larger one: what shrinking and sub-histories are made of.
#pragma once

#include <functional>
#include <optional>

#include "history/history.h"

namespace assay {

// The history of the transactions and operations that are kept, in the same order and with the same
// names. Sessions and transactions left without content stay out (sessions) or stay empty
// (transactions that are kept). List reads are left with the elements that are kept.
History restrict(
    const History& history, const std::function<bool(TxnId)>& keep_transaction,
    const std::function<bool(OpId)>& keep_operation,
    const std::function<bool(KeyValueId)>& keep_element = [](KeyValueId) { return true; });

// The same transactions, each in a session of its own.
History without_sessions(const History& history);

// The same history with keys that start as `initial`: reads of the initial version say so, whatever it was
// called before. Nothing when that could be mistaken: somebody wrote the old initial value again, or the
// new one occurs already; or the history has more than reads, writes and lists.
std::optional<History> with_initial(const History& history, Scalar initial);

}  // namespace assay

// A smaller history out of a larger one: what shrinking and sub-histories are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

// The history of the transactions and operations that are kept, in the same order and with the same
// names. Sessions and transactions left without content stay out (sessions) or stay empty
// (transactions that are kept).
History restrict(const History& history, const std::function<bool(TxnId)>& keep_transaction,
                 const std::function<bool(OpId)>& keep_operation);

// A choice of transactions and of their operations; both increasing.
struct Selection {
  std::vector<TxnId> transactions;
  std::vector<OpId> operations;
};

// The same for a choice, in time of what is chosen. A list read loses the elements whose appends are not
// chosen, so that it still shows whole transactions; elements that nobody appended stay.
History restrict(const History& history, const Selection& selection);

// The same history, where transactions without a name of their own get this one, if no other has it.
History with_names(const History& history, const std::function<std::string(TxnId)>& name);

// The same transactions, each in a session of its own.
History without_sessions(const History& history);

// The same history with keys that start as `initial`: reads of the initial version say so, whatever it was
// called before. Nothing when that could be mistaken: somebody wrote the old initial value again, or the
// new one occurs already; or the history has more than reads, writes and lists.
std::optional<History> with_initial(const History& history, Scalar initial);

}  // namespace assay

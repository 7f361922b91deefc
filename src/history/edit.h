// Changed copies of histories, mostly smaller ones, for shrinking and for parts of histories.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "history/history.h"

namespace assay {

// The history of the kept transactions and operations, in the same order and with the same names. A kept
// transaction may become empty; a session without transactions is dropped.
History restrict(const History& history, const std::function<bool(TxnId)>& keep_transaction,
                 const std::function<bool(OpId)>& keep_operation);

// Some transactions and some of their operations; both lists are increasing.
struct Selection {
  std::vector<TxnId> transactions;
  std::vector<OpId> operations;
};

// The same for a selection, in time proportional to the selection. A list read loses the elements whose
// appends are not selected, so that it still shows whole transactions. Elements that nobody appended stay.
History restrict(const History& history, const Selection& selection);

// The same history, in which a transaction without a name gets this one, unless another has it.
History with_names(const History& history, const std::function<std::string(TxnId)>& name);

// The same transactions, each in a session of its own.
History without_sessions(const History& history);

// The same history with `initial` as the initial value of all keys; reads of an initial version return it.
// Nothing when the result could be ambiguous: somebody wrote the old initial value again, or the new one
// already occurs, or the history has other operations than reads, writes and those on lists.
std::optional<History> with_initial(const History& history, Scalar initial);

}  // namespace assay

// An order explains what statements with predicates and ranges found: all of it, not only what a certificate
// names.
//
// The commits are replayed on the table; at each snapshot every statement of the transaction is run on it,
// with the transaction's own writes on top, and must find exactly the rows that it did. Rows that were
// returned are looked at as reads elsewhere (certify_order.cpp); here it is about which were. Time:
// statements times the keys of the table, each a few instructions (history/table_state.h).
#pragma once

#include "base/result.h"
#include "history/completion.h"
#include "verdict/proof.h"

namespace assay {

Result<void> certify_statements(const History& history, std::span<const Truth> truths, const Order& order);

}  // namespace assay

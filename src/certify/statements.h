// Checks that an order explains the results of all statements with predicates and ranges, not only those that
// a certificate names.
//
// This file checks which rows statements found; the values of returned rows are reads (order.h). It shares
// nothing with the search, which checks its executions in its own way (check/invisible.h,
// check/statement_views.h).
#pragma once

#include "base/result.h"
#include "certify/items.h"
#include "certify/order.h"

namespace assay {

// Levels with replay: at each snapshot, runs every statement of the transaction on the current table. Time:
// statements times the keys of the table, each a few instructions.
Result<void> certify_replayed_statements(const History& history, const ItemHistory& items,
                                         const Order& order);

// The other levels. `order` is of the items, with its sources.
Result<void> certify_weak_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);

// For rc and ra. Two versions of each key may explain a statement: the newest one in the order, and the
// newest one in the reader's view. Time: as above, plus a check of the writer of each version.
Result<void> certify_view_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);
// For cc and psi: the newest version in the reader's past. Time: the writes of the whole history for each
// session, and a pass over the table for each statement.
Result<void> certify_past_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);

// The error that neither the order nor a read line explains what the statement says of the key.
Error needs_read_line(const History& history, Level level, Invisible read);

}  // namespace assay

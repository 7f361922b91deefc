// An order explains what statements with predicates and ranges found: all of it, not only what a certificate
// names. The rules are those of docs/certificates.md, "`holds` must explain also the invisible reads that are
// not there"; each function says nothing, or which statement is not explained.
//
// Rows that were returned are looked at as reads elsewhere (order.h); here it is about which were. Nothing is
// shared with the search, which asks the same of its executions (check/invisible.h, check/statement_views.h).
#pragma once

#include "base/result.h"
#include "certify/items.h"
#include "certify/order.h"

namespace assay {

// Levels whose order is replayed: at each snapshot every statement of the transaction is run on the table as
// it is then. Time: statements times the keys of the table, each a few instructions.
Result<void> certify_replayed_statements(const History& history, const ItemHistory& items,
                                         const Order& order);

// The other levels; `order` is of the items, with its sources.
Result<void> certify_weak_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);

// Its parts. rc and ra: two versions of each key may explain a statement; the newest one in the order, and
// the newest one in the reader's view. Time: as above, with a look at the writer of each version.
Result<void> certify_view_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);
// cc and psi: the newest version in the reader's past. Time: the writes of the whole history for each
// session, and a pass over the table for each statement.
Result<void> certify_past_statements(const History& history, const ItemHistory& items,
                                     const WeakOrder& order);

// The statement says something of the key that no `read` line explains, and the order does not either.
Error needs_read_line(const History& history, Level level, Invisible read);

}  // namespace assay

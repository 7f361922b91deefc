// Rows and predicates as reads and writes of single keys.
//
// A statement that speaks of many rows is one read of each key that it ranges over, and for rows that it
// changes a write. A row that it returned was read with this value. Of the others it says only whether they
// matched: such a read, called invisible, returned one of the values that the key ever had for which that is
// so, no row (null) among them where it did not match. docs/predicates.md has the definition; here it is
// carried out, so that nothing behind it needs to know about predicates. A scan over many keys is many
// invisible reads, most of which are never in question: only those that are asked for are made. Writes,
// returned rows, and what inserts and deletes say are always there.
//
// Where a truth is open (truths.h), neither the row's read nor its write is made, nor any read that may
// have returned what it became. What is violated without these is violated whatever the truth: a write that
// nobody reads only forbids.
//
// Or it is asked for as a row: an update-maybe of a single key, which decides by itself what it did. Only
// rows that are by themselves (separate_rows) may be, and they are left out where another row of the key is
// open and not asked for.
//
// Linear in the operations, rows and values.
#pragma once

#include <vector>

#include "base/result.h"
#include "history/truths.h"

namespace assay {

bool has_rows_or_predicates(const History& history);

struct Items {
  History history;                     // the same sessions, transactions, keys and values
  std::vector<OpId> statement_origin;  // by number of the statement: the operation that it was
  Completion
      completion;  // its reads were asked for, and its rows are there; its truths are all that are known

  // Of an operation: the one that it is part of. O(log).
  OpId origin(OpId op) const { return statement_origin[history.statement_number(op)]; }
};

// Of a history that passes check_predicates(). Each read is of a key that its statement ranges over.
Result<Items> itemize(const History& history, Completion completion);

}  // namespace assay

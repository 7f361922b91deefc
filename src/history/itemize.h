// Translates rows and predicates into reads and writes of single keys, so that later stages need not know
// about predicates. docs/predicates.md has the definition.
//
// A statement over many rows becomes a read of each key in its range, and a write of each row that it
// changed. A row that it returned is a read of that value. For every other key, the statement says only
// whether the row matched. That read is invisible (completion.h): it returned one of the versions of the key
// that give this answer. No row (null) is among those that do not match. A scan over many keys has many
// invisible reads, and few ever matter, so itemize() makes only those that the caller asks for. It always
// makes writes, returned rows, and the reads of inserts and deletes.
//
// While the outcome of a row of an update-maybe is open, itemize() leaves out the row's read, its write, and
// each read that may have returned the version it wrote. If the rest violates a level, so does the history,
// whatever the outcome: leaving out a write that nobody reads only removes constraints.
//
// The caller can also ask for such a row. It then becomes a conditional write, an update-maybe of a single
// key, which decides by the version that it meets. This is possible only for separate rows (truths.h); a row
// is still left out when another row of the key is open and not asked for.
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
  std::vector<OpId> statement_origin;  // by number of a statement: the operation that it came from
  Completion completion;               // the invisible reads and rows that were made, all known outcomes

  // The operation of the original history that this one is part of. O(log n).
  OpId origin(OpId op) const { return statement_origin[history.statement_number(op)]; }
};

// Requires a history that passes check_predicates(), and that the statement of each requested read ranges
// over its key.
Result<Items> itemize(const History& history, Completion completion);

}  // namespace assay

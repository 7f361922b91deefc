// What a program may read and write: the accesses of its statements, as pairs of table and field.
//
// The product of the footprints of two programs is every way in which their transactions may depend on each
// other, so no pair of statement kinds can be forgotten. The field of an access is a column that some program
// changes, or the presence of the row: inserts make it alive, deletes make it dead. A statement that finds a
// row reads that it is alive; one that might have found it reads that it is not. (That a reader of a living
// row conflicts with the next insert of it follows from the delete in between; so presence is read with a
// polarity.) When an access happens is the business of the Encoding.
#pragma once

#include <optional>
#include <vector>

#include "analysis/facts.h"

namespace assay::analysis {

struct Read {
  enum class Why : std::uint8_t {
    Rows,        // the statement looks at the rows that match
    NewKey,      // an INSERT: that the key is free, or taken
    UniqueKey,   // the same for another unique key
    LooseKey,    // an INSERT or UPDATE: that no row of the table conflicts with the new one
    Parent,      // an INSERT or UPDATE: that the row exists which a foreign key points to
    Children,    // a DELETE: that nothing points to the row
    Everything,  // a statement that was not understood
  };
  std::size_t item;
  sql::SourceId source;
  sql::TableId table;
  std::optional<sql::ColumnId> column;  // none: presence
  bool alive = false;                   // of presence
  Why why = Why::Rows;
  std::size_t key = 0;      // of UniqueKey: which; of Parent and Children: which foreign key
  bool of_extreme = false;  // only of the row that is the minimum or maximum

  // Constraints are checked against the newest version, whatever the statement began with (read committed).
  bool checks() const { return why != Why::Rows && why != Why::Everything; }
};

struct Write {
  std::size_t item;
  sql::TableId table;
  std::optional<sql::ColumnId> column;
  bool alive = false;
};

struct Footprint {
  std::vector<Read> reads;
  std::vector<Write> writes;
};

Footprint footprint(const Facts& facts, std::size_t program);

// The one output of a query that is a MIN or MAX and decides which row the others come from; or null.
const sql::Output* extreme(const sql::Select& select);

}  // namespace assay::analysis

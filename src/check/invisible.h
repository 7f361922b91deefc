// Which invisible reads an execution gets wrong.
//
// A statement with a predicate says of every key that it ranges over whether what it met matched; of a large table that is far
// more than a search could carry along, and nearly all of it is true by itself. So an execution is looked for without these
// reads, and then run: those it breaks are made (history/itemize.h), and the search begins again. When none is broken, the
// execution explains all of them; when there is no execution, leaving reads out did not cause it.
//
// Of reads that one transaction's version spoils for one reader only some are named, since what mends one mostly mends all.
// Cost: one pass over the rows for each statement (history/table_state.h).
#pragma once

#include <vector>

#include "history/itemize.h"
#include "verdict/verdict.h"

namespace assay {

// Of a level with a total order; at most `per_writer` of each reader and writer. Sorted.
std::vector<Invisible> broken_invisible_reads(const History& history, std::span<const Truth> truths, const Order& order,
                                              std::size_t per_writer);

}  // namespace assay

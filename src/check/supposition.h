// The part of the statements that takes part in a search. A supposition is a value that never changes; the
// functions below make a new one from it.
//
// A search considers only some of the invisible reads and rows (history/itemize.h), and a supposition names
// these. Its reads hold in every execution. The outcomes of update-maybe rows, changed or left alone, need
// not, so a proof from assumed outcomes covers only one case of several.
//
// An open row is either assumed or deferred:
//
//     open row --- assumed              `assumed` contains its outcome; some of these are fixed
//              \-- deferred             the execution that is found decides the outcome
//                   \-- conditional     ... unless the search chooses it: the row is a conditional write
//                        \-- certain    ... and its outcome follows from known edges
//
// All lists are sorted and free of duplicates.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "check/statement_facts.h"

namespace assay {

struct Supposition {
  std::vector<Invisible> reads{};        // invisible reads that some execution contradicted
  std::vector<Truth> assumed{};          // assumed outcomes
  std::vector<Truth> fixed{};            // those of them that define the current case
  std::vector<Invisible> deferred{};     // rows whose outcome is not assumed
  std::vector<Invisible> conditional{};  // deferred rows that are conditional writes
  std::vector<Truth> certain{};          // outcomes of conditional writes that follow from known edges
};

Supposition with_reads(Supposition supposition, const std::vector<Invisible>& more);
Supposition with_conditional(Supposition supposition, const std::vector<Invisible>& more);
Supposition with_certain(Supposition supposition, const std::vector<Truth>& more);
Supposition without_certain(Supposition supposition);
// Replaces some assumed outcomes. Certain outcomes stay certain until they are contradicted.
Supposition with_other_outcomes(Supposition supposition, std::vector<Truth> assumed);
// Switches to another case, in which no outcome is certain yet.
Supposition assuming(Supposition supposition, std::vector<Truth> assumed, std::vector<Truth> fixed = {});
// Keeps only the reads: no outcome is assumed, and no row is a conditional write.
Supposition deferring(Supposition supposition, std::vector<Invisible> rows);

// The deferred rows whose outcome is not certain.
std::vector<Invisible> decided_by_execution(const Supposition& supposition);

// What itemize() makes the items from. Leaves out reads of rows whose outcome is neither known, assumed nor
// certain.
Completion completion_of(const StatementFacts& facts, const Supposition& supposition);

// The union of two sorted lists.
template <class Row>
std::vector<Row> merged(const std::vector<Row>& some, const std::vector<Row>& more) {
  std::vector<Row> all;
  std::ranges::set_union(some, more, std::back_inserter(all));
  return all;
}

// The elements of the first sorted list that are not in the second.
template <class Row>
std::vector<Row> without(const std::vector<Row>& rows, const std::vector<Row>& others) {
  std::vector<Row> rest;
  std::ranges::set_difference(rows, others, std::back_inserter(rest));
  return rest;
}

}  // namespace assay

// What is supposed about statements while a history is judged: a value that is never changed. The functions
// below make another one from it.
//
// Only part of what statements say takes part in the search (history/itemize.h). A supposition names that
// part. Its reads are true of the history whatever else is supposed; the outcomes of update-maybe rows,
// changed or left alone, are not, so a proof from assumed outcomes is one case of several.
//
// An open row is either assumed or deferred:
//
//     open row --- assumed              the outcome is one of `assumed`; some of these are fixed
//              \-- deferred             the execution that is found decides the outcome
//                   \-- conditional     ... but the search chooses it: the row is a conditional write
//                        \-- certain    ... and its outcome follows from what else is known
//
// All lists are sorted and name nothing twice.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "check/statement_facts.h"

namespace assay {

struct Supposition {
  std::vector<Invisible> reads{};        // invisible reads that are made, since some execution got them wrong
  std::vector<Truth> assumed{};          // assumed outcomes
  std::vector<Truth> fixed{};            // of these, the ones that define the case at hand
  std::vector<Invisible> deferred{};     // rows whose outcome is not assumed
  std::vector<Invisible> conditional{};  // of the deferred rows, those that are conditional writes
  std::vector<Truth> certain{};          // outcomes of conditional writes that follow from the rest
};

Supposition with_reads(Supposition supposition, const std::vector<Invisible>& more);
Supposition with_conditional(Supposition supposition, const std::vector<Invisible>& more);
Supposition with_certain(Supposition supposition, const std::vector<Truth>& more);
Supposition without_certain(Supposition supposition);
// Other outcomes for some of the assumed ones. What was certain stays so until that is contradicted.
Supposition with_other_outcomes(Supposition supposition, std::vector<Truth> assumed);
// Another case: nothing is certain any more.
Supposition assuming(Supposition supposition, std::vector<Truth> assumed, std::vector<Truth> fixed = {});
// Only the reads are kept: no outcome is assumed, no row is a conditional write.
Supposition deferring(Supposition supposition, std::vector<Invisible> rows);

// The deferred rows whose outcome is not certain.
std::vector<Invisible> decided_by_execution(const Supposition& supposition);

// What the items are made from. Reads of rows that are neither known, assumed nor certain are not made.
Completion completion_of(const StatementFacts& facts, const Supposition& supposition);

// Of sorted lists: what is in either of them, once.
template <class Row>
std::vector<Row> merged(const std::vector<Row>& some, const std::vector<Row>& more) {
  std::vector<Row> all;
  std::ranges::set_union(some, more, std::back_inserter(all));
  return all;
}

// Of sorted lists: what is in the first and not in the second.
template <class Row>
std::vector<Row> without(const std::vector<Row>& rows, const std::vector<Row>& others) {
  std::vector<Row> rest;
  std::ranges::set_difference(rows, others, std::back_inserter(rest));
  return rest;
}

}  // namespace assay

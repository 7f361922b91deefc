// The outcomes of rows of update-maybes (completion.h) that follow from the history alone.
//
// Many outcomes are known. If a committed transaction read a version that nobody else can have written, the
// row was changed. If no version of the key matches the predicate, the row was left alone. The other outcomes
// are open: the history satisfies a level if it does so for some choice of them.
//
// The checker of certificates must not use this file; it has its own (certify/outcomes.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "history/completion.h"
#include "history/history.h"

namespace assay {

// The outcomes in one operation, which are adjacent in the sorted list.
std::span<const Truth> truths_of_operation(std::span<const Truth> truths, OpId op);

// Nothing when the outcome is open.
std::optional<bool> find_truth(std::span<const Truth> truths, Invisible row);

// Whether the outcomes are consistent with the number of changed rows that the update-maybe reports, if any.
bool fits_count(const History& history, OpId op, std::span<const Truth> truths);

struct Truths {
  std::vector<Truth> known;
  std::vector<Invisible> open;
};
// Classifies all rows of all update-maybes. Counts those of aborted transactions as changed. Linear in the
// history, times the versions of the listed keys.
Truths truths_of(const History& history);

// The open rows that may become conditional writes (itemize.h): their transaction is committed, does not
// write the key earlier, and does not read or write it later. So a version of another transaction decides the
// outcome, and only other transactions see the result.
std::vector<Invisible> separate_rows(const History& history, const Truths& truths);

// The known outcomes merged with the chosen ones.
std::vector<Truth> with_known(const Truths& truths, std::span<const Truth> chosen);

}  // namespace assay

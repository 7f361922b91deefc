// Which rows of update-maybes were changed, as far as the history alone says.
//
// Many truths are known: a version that a committed transaction read and nobody else can have written was
// written; what matches no version of its key was left alone. The rest is a matter of choice, and the history
// satisfies a level if it does for some truths.
//
// The checker of certificates must not use this: it has its own (certify/outcomes.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "history/completion.h"
#include "history/history.h"

namespace assay {

// Those of one operation; they are side by side.
std::span<const Truth> truths_of_operation(std::span<const Truth> truths, OpId op);

// Nothing: it is open.
std::optional<bool> find_truth(std::span<const Truth> truths, Invisible row);

// Whether the rows of an update-maybe that were changed can be as many as it says.
bool fits_count(const History& history, OpId op, std::span<const Truth> truths);

struct Truths {
  std::vector<Truth> known;
  std::vector<Invisible> open;
};
// Of all rows of all update-maybes. Those of aborted transactions are taken to have been changed. Linear in
// the history, times the versions of keys that are listed.
Truths truths_of(const History& history);

// Of the open ones, the rows of committed transactions that nothing else in the transaction wrote before, or
// speaks of afterwards: whatever their truth, it is decided by a version that somebody else wrote, and only
// others see what they became.
std::vector<Invisible> separate_rows(const History& history, const Truths& truths);

// What is known, and these.
std::vector<Truth> with_known(const Truths& truths, std::span<const Truth> chosen);

}  // namespace assay

// What statements leave open, decided.
//
// An update-maybe lists rows that it changed if they matched; whether each did is a truth. Many truths are
// known: a version that a committed transaction read and nobody else can have written was written; what
// matches no version of its key was left alone. The rest is a matter of choice, and the history satisfies a
// level if it does for some truths.
//
// And what one statement says of a key without saying its value is an invisible read. There are far too many
// to speak of all, so a completion names those that matter (itemize.h).
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <vector>

#include "history/history.h"

namespace assay {

// What one statement says of one key without saying its value: whether the version that it met matched.
struct Invisible {
  OpId op;
  KeyId key;
  friend auto operator<=>(const Invisible&, const Invisible&) = default;
};

// Whether a row of an update-maybe matched, and so was changed.
struct Truth {
  OpId op;
  KeyId key;
  bool took;
  Invisible row() const { return {op, key}; }
  friend auto operator<=>(const Truth&, const Truth&) = default;
};

// All sorted. `rows`: of update-maybes, whose truth is not among the truths; each of them is an operation
// that decides it.
struct Completion {
  std::vector<Invisible> reads{};
  std::vector<Truth> truths{};
  std::vector<Invisible> rows{};
  friend bool operator==(const Completion&, const Completion&) = default;
};

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

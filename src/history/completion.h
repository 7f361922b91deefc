// What statements leave open, and a name for each such thing.
//
// An update-maybe lists rows that it changed if they matched; whether each did is a truth. And what one
// statement says of a key without saying its value is an invisible read. There are far too many to speak of
// all, so a completion names those that matter. These are only names: who finds truths (history/truths.h for
// the search, certify/outcomes.h for the checker of certificates) is another matter.
#pragma once

#include <compare>
#include <vector>

#include "history/ids.h"

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

}  // namespace assay

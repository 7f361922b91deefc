// Names for what statements leave open, and a selection of these names.
//
// An update-maybe is a conditional update of which the client knows only what each listed row becomes if it
// matched. Whether a row matched is its outcome; the code calls it a Truth. An invisible read is what a
// statement says about a key without giving its value: the version that it met matched the predicate, or did
// not. A history has far too many of both to handle all, so a Completion lists those that matter. This file
// only names them. truths.h finds the known outcomes for the search, certify/outcomes.h does so for the
// checker of certificates.
#pragma once

#include <compare>
#include <vector>

#include "history/ids.h"

namespace assay {

// One invisible read: statement and key.
struct Invisible {
  OpId op;
  KeyId key;
  friend auto operator<=>(const Invisible&, const Invisible&) = default;
};

// The outcome of one row of an update-maybe: whether it matched, and so was changed.
struct Truth {
  OpId op;
  KeyId key;
  bool took;
  Invisible row() const { return {op, key}; }
  friend auto operator<=>(const Truth&, const Truth&) = default;
};

// All lists are sorted. `rows`: rows of update-maybes that have no entry in `truths`; each becomes an
// operation that decides its outcome by the version that it meets (itemize.h).
struct Completion {
  std::vector<Invisible> reads{};
  std::vector<Truth> truths{};
  std::vector<Invisible> rows{};
  friend bool operator==(const Completion&, const Completion&) = default;
};

}  // namespace assay

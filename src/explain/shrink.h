// Finds a minimal part of a history with the same violation, in the manner of delta debugging (Zeller and
// Hildebrandt 2002).
//
// It begins with the operations that the proof uses. Then it drops sessions, transactions and operations, in
// runs of half of them, a quarter, and so on down to single ones. After each attempt it judges the rest again
// and keeps it if the same level is violated by the same anomaly. So the part is violated by a verdict of its
// own. Dropping a write drops the reads of it too; otherwise every part would shrink to a thin-air read that
// never happened. After each success it goes on with what the new proof uses.
//
// Dropping transactions and operations this way cannot create a violation: an order that explains the whole
// history explains the part. So whatever the part violates, the history violates too.
//
// The result is deterministic, unless time runs out: then it is the smallest part so far. Nobody can read an
// explanation without a part, so finding the first one may take longer. If even that takes too long, the part
// is the whole history.
#pragma once

#include "check/check.h"

namespace assay {

struct Part {
  History history;
  Selection origin;  // by transaction and operation of the part: its id in the whole history
  Level level;       // the one it was judged at: the requested level, or one that this implies
  Violated verdict;  // on the part; its proof uses session order only if the anomaly needs it
  bool minimal = true;
};

// Budgets that are polled between and during judgements.
struct Patience {
  Budget* smaller = &Budget::unlimited();  // for making a part smaller
  Budget* first = &Budget::unlimited();    // for finding a first part
};

// `verdict` must come from `checker`.
Part shrink(const Checker& checker, Level level, const Violated& verdict, const Patience& patience);

}  // namespace assay

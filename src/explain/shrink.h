// The smallest part of a history that still shows the same violation.
//
// Begins with what the proof speaks of, and then leaves out whole sessions, transactions and single
// operations, in halves, quarters, ... one by one, as long as the same level is broken in the same way:
// judged again each time, so the part is violated by a verdict of its own. What is left out takes along the
// reads that would have nobody to read from; otherwise everything would shrink to a thin-air read that never
// happened. Each success jumps to what the new proof speaks of.
//
// Leaving out transactions and operations so cannot make a history worse: an order that explains all of it
// explains the rest. So what is wrong with the part is wrong with the history.
//
// Deterministic, unless time runs out: then the smallest part so far is the answer. Without a part nobody can
// read the explanation, so the first one may take longer; if that takes too long, the part is all of the
// history.
#pragma once

#include "check/check.h"
#include "history/edit.h"

namespace assay {

struct Part {
  History history;
  Selection origin;  // of each transaction and operation, in the whole history
  Level level;       // at which it was judged: the one that was asked for, or one that it implies
  Violated verdict;  // on the part; its proof uses no session order unless the anomaly needs it
  bool minimal = true;
};

// Polled between and during judgements.
struct Patience {
  Budget* smaller = &Budget::unlimited();  // for making the part at hand smaller
  Budget* first = &Budget::unlimited();    // for finding one at all
};

// `verdict` is of `checker`.
Part shrink(const Checker& checker, Level level, const Violated& verdict, const Patience& patience);

}  // namespace assay

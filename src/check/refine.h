// What has to change in a supposition, given an execution that was found under it.
//
// This is the refinement step of a loop in the manner of CEGAR (counterexample-guided abstraction
// refinement). An execution of the items need not explain all that statements say; replayed, it shows what it
// gets wrong. The answer names what has to be added for it not to be found again.
//
// Cost: one or two replays of the execution (check/invisible.h, check/statement_views.h).
#pragma once

#include <variant>
#include <vector>

#include "check/subject.h"

namespace assay {

// The execution explains every statement, with these outcomes of the deferred rows among others.
struct Explained {
  std::vector<Truth> outcomes;
};
// It gets these invisible reads wrong: they have to be made.
struct MoreReads {
  std::vector<Invisible> reads;
};
// What the deferred rows of some keys became is contradicted: they have to be choices of the search.
struct MoreConditional {
  std::vector<Invisible> rows;
  std::vector<Invisible> reads;  // which it gets wrong as well
};
// The same of rows that cannot be conditional writes: their outcomes have to be assumed.
struct MustAssume {
  std::vector<Invisible> rows;
};
// Assumed outcomes that are not fixed are contradicted: with these it might go better.
struct OtherOutcomes {
  std::vector<Truth> assumed;
};
// The budget was spent before the replay was done.
struct NotReplayed {};
// The number of rows that an update-maybe changed is contradicted by outcomes that were held for certain.
struct NotCertain {};

using Refinement =
    std::variant<Explained, MoreReads, MoreConditional, MustAssume, OtherOutcomes, NotCertain, NotReplayed>;

struct RefineLimits {
  std::size_t per_writer = 1;   // of the wrong reads that one writer spoils for one reader, so many are named
  bool other_outcomes = false;  // assumed outcomes may change
};

// `execution` is of the subject's items, at this level.
Result<Refinement> refine(const StatementFacts& facts, const Subject& subject, Level level,
                          const Holds& execution, RefineLimits limits, Budget& budget = Budget::unlimited());

}  // namespace assay

// Determines how to refine a supposition, given an execution that was found under it.
//
// This is the refinement step of counterexample-guided abstraction refinement (CEGAR). An execution of the
// items need not explain all statements. Its replay shows what it contradicts, and the answer names what to
// add so that the execution is not found again.
//
// Cost: one or two replays of the execution (check/invisible.h, check/statement_views.h).
#pragma once

#include <variant>
#include <vector>

#include "check/subject.h"

namespace assay {

// The execution explains every statement. These are the outcomes, including those of the deferred rows.
struct Explained {
  std::vector<Truth> outcomes;
};
// It contradicts these invisible reads, which must become explicit.
struct MoreReads {
  std::vector<Invisible> reads;
};
// The outcomes that it gives to these deferred rows are contradicted: the search must choose them.
struct MoreConditional {
  std::vector<Invisible> rows;
  std::vector<Invisible> reads;  // contradicted as well
};
// The same for rows that cannot be conditional writes: their outcomes must be assumed.
struct MustAssume {
  std::vector<Invisible> rows;
};
// Some assumed outcomes that are not fixed are contradicted. These may serve instead.
struct OtherOutcomes {
  std::vector<Truth> assumed;
};
// The budget was spent before the replay was done.
struct NotReplayed {};
// Outcomes that were taken for certain contradict the number of rows that an update-maybe reports.
struct NotCertain {};

using Refinement =
    std::variant<Explained, MoreReads, MoreConditional, MustAssume, OtherOutcomes, NotCertain, NotReplayed>;

struct RefineLimits {
  std::size_t per_writer = 1;   // the most wrong reads to name for each writer and reader
  bool other_outcomes = false;  // assumed outcomes may change
};

// `execution` is one of the subject's items at this level.
Result<Refinement> refine(const StatementFacts& facts, const Subject& subject, Level level,
                          const Holds& execution, RefineLimits limits, Budget& budget = Budget::unlimited());

}  // namespace assay

// Which outcomes of update-maybe rows are assumed first: what happens when the transactions run one after
// another, by their clocks or as the file has them.
//
// A case fixes some outcomes; the rest is completed with likely ones such that each update-maybe changes as
// many rows as it says.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/statement_facts.h"

namespace assay {

// Of the open rows that are not deferred. Sorted. Cost: one replay of the history (history/table_state.h).
std::vector<Truth> likely_outcomes(const StatementFacts& facts, std::span<const Invisible> deferred);

// The likely outcomes, but with those that are fixed, and changed where a count says so. Any number of the
// deferred rows may count. Nothing: a committed update-maybe cannot have changed as many rows as it says.
std::optional<std::vector<Truth>> completed(const StatementFacts& facts, const std::vector<Truth>& likely,
                                            const std::vector<Truth>& fixed,
                                            std::span<const Invisible> deferred);

}  // namespace assay

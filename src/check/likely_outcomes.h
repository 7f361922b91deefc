// Chooses the outcomes of update-maybe rows to assume first: those of a serial execution in the order of the
// clients' clocks or of the file.
//
// A case fixes some outcomes. The likely ones complete it, adjusted so that each update-maybe changes as many
// rows as it reports.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/statement_facts.h"

namespace assay {

// The outcomes of the open rows that are not deferred, sorted. Cost: one replay of the history
// (history/table_state.h).
std::vector<Truth> likely_outcomes(const StatementFacts& facts, std::span<const Invisible> deferred);

// The likely outcomes, overridden by the fixed ones and adjusted to the reported counts. Any number of the
// deferred rows may have changed. Returns nothing if a committed update-maybe cannot have changed as many
// rows as it reports.
std::optional<std::vector<Truth>> completed(const StatementFacts& facts, const std::vector<Truth>& likely,
                                            const std::vector<Truth>& fixed,
                                            std::span<const Invisible> deferred);

}  // namespace assay

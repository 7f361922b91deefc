// A history with statements, and what is known from the start about the rows of its update-maybes.
#pragma once

#include <vector>

#include "base/result.h"
#include "history/truths.h"

namespace assay {

struct StatementFacts {
  const History& history;
  Truths outcomes;                  // of all rows of update-maybes: those known, and the rows still open
  std::vector<Invisible> separate;  // of the open rows, those that can be conditional writes; sorted
};

// An error where a predicate cannot mean anything.
Result<StatementFacts> statement_facts(const History& history);

}  // namespace assay

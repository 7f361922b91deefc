// A history with statements, and what the history alone says about the rows of its update-maybes.
#pragma once

#include <vector>

#include "base/result.h"
#include "history/truths.h"

namespace assay {

struct StatementFacts {
  const History& history;
  Truths outcomes;                  // the known outcomes of rows of update-maybes, and the open rows
  std::vector<Invisible> separate;  // the open rows that can be conditional writes; sorted
};

// Returns an error if a predicate is invalid.
Result<StatementFacts> statement_facts(const History& history);

}  // namespace assay

// Small histories with the levels they satisfy, reasoned out by hand from docs/levels.md.
#pragma once

#include <initializer_list>
#include <string_view>

#include "history/history.h"
#include "oracle/oracle.h"

namespace assay::test {

struct Verdict {
  std::string_view because;
  std::string_view history;  // `.hist`
  std::string_view holds;    // ids of levels, "all" or "none"
};

// Expects each history to satisfy exactly the levels named, by every formulation of the oracle. Levels
// that need instants are judged only where a history has them.
void expect_verdicts(std::initializer_list<Verdict> verdicts, oracle::Options options = {});

// The ids of the levels that hold, separated by blanks.
std::string levels_that_hold(const History& history, oracle::Options options = {});

}  // namespace assay::test

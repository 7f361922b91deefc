// Finds the first difference between two histories.
//
// It matches sessions by the order of their first appearance, and transactions by their position in the
// session. So two histories are equal when the files differ only in how they interleave sessions.
#pragma once

#include <optional>
#include <string>

#include "history/history.h"

namespace assay {

struct Comparison {
  bool names = true;  // of sessions and transactions
  bool instants = true;
  bool note = true;
};

// Returns one sentence, or nothing when the histories agree.
std::optional<std::string> first_difference(const History& a, const History& b, Comparison what = {});

}  // namespace assay

// Whether two histories say the same, and if not, the first thing they say differently.
//
// Sessions are matched by order of first appearance and transactions by place in their session, so
// two histories are the same when only the interleaving of sessions in the file differs.
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

// One sentence, or nothing when they agree.
std::optional<std::string> first_difference(const History& a, const History& b, Comparison what = {});

}  // namespace assay

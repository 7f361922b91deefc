// Clocks of a transaction of a random execution: near to when it ran, rarely all of them, sometimes from a
// clock that is off.
#pragma once

#include <algorithm>

#include "base/random.h"
#include "history/history.h"

namespace assay::test {

inline constexpr std::int64_t kTick = 10;  // between two commits of the execution

inline Instants random_instants(Random& random, std::int64_t snapshot, std::int64_t commit, Outcome outcome,
                                double off) {
  const auto slack = [&] { return static_cast<std::int64_t>(random.below(2 * kTick)); };
  std::int64_t began = snapshot + slack(), committing = commit - slack();
  if (began > committing) began = committing = (snapshot + commit) / 2;
  Instants at{std::min(snapshot, began) - slack(), began, committing, std::max(commit, committing) + slack()};
  if (random.chance(off)) {
    const std::int64_t shift = slack() - kTick;
    for (auto* instant : {&at.begin, &at.began, &at.committing, &at.end}) **instant += shift;
  }
  if (random.chance(0.3)) at.began.reset();
  if (random.chance(0.3)) at.committing.reset();
  if (outcome == Outcome::Unknown && random.chance(0.7)) at.end.reset();
  return at;
}

}  // namespace assay::test

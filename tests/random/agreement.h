// Whether check() and the oracle say the same of a history, with evidence that stands.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "check/check.h"
#include "history/history.h"
#include "support/levels.h"

namespace assay::test {

inline const std::vector<Level>& kJudged = levels_without_clocks();

// What is wrong with the verdict, judged alone and after others that may imply it, from the weakest on and
// from the strongest on; empty when nothing is, or when the history cannot be judged.
std::string complaint(const History& history, Level level, const CheckOptions& options);

// How often each level held and fell.
class Tally {
 public:
  void add(std::size_t level, bool holds) { ++(holds ? held_ : fell_)[level]; }
  // Prints the numbers; a level that hardly ever held, or fell, was not tested.
  void expect_both(std::size_t least) const;

 private:
  std::array<std::size_t, kLevelCount> held_{}, fell_{};
};

}  // namespace assay::test

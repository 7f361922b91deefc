// Whether check() and the oracle say the same of a history, with evidence that stands.
#pragma once

#include <array>
#include <string>

#include "check/check.h"
#include "history/history.h"

namespace assay::test {

// The levels that need no instants.
inline constexpr std::array kJudged{Level::Rc, Level::Ra,     Level::Cc,  Level::Pc,      Level::Psi,
                                    Level::Si, Level::AdyaSi, Level::Ser, Level::PlainSer};

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
  std::array<std::size_t, kJudged.size()> held_{}, fell_{};
};

}  // namespace assay::test

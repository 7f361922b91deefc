// Levels that ask for less than rc, or for no session order: PL-2, monotonic atomic view, plain read atomic.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

constexpr std::array kWeaker{oracle::Level::pl_2, oracle::Level::mav, oracle::Level::plain_ra};

void expect_weaker(std::initializer_list<Verdict> verdicts) { expect_verdicts(verdicts, {}, kWeaker); }

TEST(WeakerLevels, LookAtEachReadByItselfAtPl2) {
  expect_weaker({
      {"the writer of both is seen by half", "S1: w(x,1) w(y,1)  S2: r(x,1) r(y,0)", "pl-2"},
      {"a newer version, then the older one", "S1: w(x,1)  S2: r(x,1) r(x,0)", "pl-2"},
      {"the older one first: nothing goes back", "S1: w(x,1)  S2: r(x,0) r(x,1)", "pl-2 mav"},
      {"half of it, the old one first", "S1: w(x,1) w(y,1)  S2: r(y,0) r(x,1)", "pl-2 mav"},
      {"all of it", "S1: w(x,1) w(y,1)  S2: r(y,1) r(x,1)", "all"},
      {"a lost update is no matter of these levels", "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)", "all"},
  });
}

TEST(WeakerLevels, ForbidWhatPl2Does) {
  expect_weaker({
      {"aborted", "S1: w(x,1)!  S2: r(x,1)", "none"},
      {"intermediate", "S1: w(x,1) w(x,2)  S2: r(x,1)", "none"},
      {"nobody's", "S1: r(x,7)", "none"},
      {"not its own", "S1: w(x,1) r(x,0)", "none"},
      {"in a circle", "S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)", "none"},
      {"in a circle, whoever wrote it", "S1: r(y,1) w(x,1)  S2: r(y,1) w(x,1)  S3: r(x,1) w(y,1)", "none"},
      {"in no circle, if the other one wrote it", "S1: r(y,1) w(x,1)  S2: w(x,1)  S3: r(x,1) w(y,1)", "all"},
      {"lists in opposite orders",
       "S1: append(l,1) append(m,1)  S2: append(l,2) append(m,2)  S3: r(l,[1 2])  S4: r(m,[2 1])", "none"},
      {"a circle of one that must count", "S1: r(y,1) w(x,1)?  S2: r(x,1) w(y,1)", "none"},
      {"a circle of one that need not", "S1: r(y,1) w(x,1)?  S2: w(y,1)", "all"},
  });
}

TEST(WeakerLevels, KnowNoSessions) {
  expect_weaker({
      {"reads what comes later in the session", "S1: r(x,1) | w(x,1)", "all"},
      {"misses its own session's write", "S1: w(x,1) | r(x,0)", "all"},
      {"the session goes back", "S1: w(x,1) | w(x,2)  S2: r(x,2) | r(x,1)", "all"},
      {"what the session overwrote", "S1: w(x,1) | w(x,2) w(y,2)  S2: r(y,2) r(x,1)", "all"},
      {"causality over a session", "S1: w(x,1) | w(y,1)  S2: r(y,1) r(x,0)", "all"},
  });
}

TEST(WeakerLevels, FollowDirectReadsOnly) {
  expect_weaker({
      {"causality", "S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)", "all"},
      {"the writer overwrote what it read", "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(x,1) r(y,1)",
       "pl-2"},
      {"and is seen after it", "S1: w(y,1)  S2: r(y,1) w(x,1) w(y,2)  S3: r(y,1) r(x,1)", "pl-2 mav"},
      {"two halves make a circle of versions", "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)",
       "pl-2 mav"},
      {"one read, two rows", "S1: w(x,1) w(y,1)  S2: scan(x,y,[x=1 y=0])", "pl-2 mav"},
  });
}

}  // namespace
}  // namespace assay::test

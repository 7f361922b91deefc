// Transactions whose client never learned the outcome.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OracleUnknownOutcomes, CountOnlyWhenSomebodyMustHaveReadThem) {
  expect_verdicts({
      {"left out", "S1: r(x,0) w(x,1)?  S2: r(x,0) w(x,2)", "all"},
      {"its update is read, so one was lost", "S1: r(x,0) w(x,1)?  S2: r(x,0) w(x,2)  S3: r(x,1)",
       "rc ra cc pc"},
      {"its wrong read does not matter while it does not count", "S1: r(x,7) w(x,1)?", "all"},
      {"nor does a contradiction to its own write", "S1: w(x,1) r(x,2)?  S2: w(x,2)", "all"},
      {"a wrong read of its own removes it as a candidate", "S1: r(x,7) w(x,1)?  S2: r(x,1)", "none"},
      {"and leaves the others", "S1: r(x,7) w(x,1)?  S2: r(x,1)  S3: w(x,1)", "all"},
      {"a contradiction to its own write removes it too", "S1: w(x,1) w(y,1) r(y,0)?  S2: r(x,1)", "none"},
      {"one counts because the other does", "S1: w(x,1)?  S2: r(x,1) w(y,1)?  S3: r(y,1) r(x,0)", "rc ra"},
      {"intermediate writes of an unknown transaction", "S1: w(x,1) w(x,2)?  S2: r(x,1)", "none"},
      {"it is one candidate of two, and the better one", "S1: w(x,1) w(y,1)  S2: w(x,1)?  S3: r(y,0) r(x,1)",
       "all"},
      {"a non-repeatable read of its own matters from ra up",
       "S1: r(x,0) r(x,1) w(y,1)?  S2: w(x,1)  S3: r(y,1)", "rc"},
      {"two unknown ones read from each other: leave both out", "S1: w(x,1) r(y,1)?  S2: w(y,1) r(x,1)?",
       "all"},
  });
}

TEST(OracleUnknownOutcomes, FollowTheirSessionAndPrecedeNothingInIt) {
  expect_verdicts({
      {"the commit landed after the client went on", "S1: w(x,1)? | r(x,0)  S2: r(x,1)", "all"},
      {"had it been committed", "S1: w(x,1) | r(x,0)  S2: r(x,1)", "rc adya-si plain-ser"},
      {"it may overwrite what came later in its session", "S1: w(x,1)? | w(x,2)  S2: r(x,2) | r(x,1)", "all"},
      {"it cannot come before its predecessors", "S1: w(x,2) | w(x,1)?  S2: r(x,1) | r(x,2)",
       "rc ra adya-si plain-ser"},
      {"it sees its predecessors", "S1: w(x,1) | r(x,0) w(y,1)?  S2: r(y,1)", "rc adya-si plain-ser"},
      {"two unknown ones of a session in reverse", "S1: w(x,1)? | w(x,2)?  S2: r(x,2) | r(x,1)", "all"},
      {"those around it stay ordered", "S1: w(x,1) | w(y,1)? | r(x,0)", "rc adya-si plain-ser"},
      {"its reader in the session has it before itself by the read", "S1: w(x,1)? | r(x,1) | r(x,0)",
       "rc ra adya-si plain-ser"},
  });
}

}  // namespace
}  // namespace assay::test

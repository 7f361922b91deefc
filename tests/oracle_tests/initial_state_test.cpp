// Histories that say what keys start with, or that nothing can be read before it was written.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OracleInitialState, CanBeAbsent) {
  expect_verdicts({
      {"nothing to read", "@initial none  S1: r(x,0)", "none"},
      {"only what was written", "@initial none  S1: w(x,0)  S2: r(x,0)", "all"},
      {"no second candidate", "@initial none  S1: w(x,0) | r(y,1)  S2: r(x,0) w(y,1)  S3: w(x,1)", "all"},
      {"session order still counts", "@initial none  S1: w(x,0) | w(x,1) | r(x,0)", "rc adya-si plain-ser"},
  });
}

TEST(OracleInitialState, CanBeOfOneKey) {
  expect_verdicts({
      {"x starts with 5", "@initial (x=5)  S1: r(x,5) r(y,0)", "all"},
      {"and not with 0", "@initial (x=5)  S1: r(x,0)", "none"},
      {"null is no version that a transaction wrote", "@initial null  S1: w(x,1) | r(x,null)",
       "rc adya-si plain-ser"},
  });
}

}  // namespace
}  // namespace assay::test

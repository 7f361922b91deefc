// Reads that are wrong at every level, and the reads that only look like them.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OracleWrongReads, AValueNobodyWroteIsAllowedNowhere) {
  expect_verdicts({
      {"thin air", "S1: r(x,7)", "none"},
      {"the value of another key", "S1: w(y,7)  S2: r(x,7)", "none"},
      {"the initial value was written by the initial transaction", "S1: r(x,0)", "all"},
  });
}

TEST(OracleWrongReads, AbortedWritesAreNeverReadAndNeverOverwrite) {
  expect_verdicts({
      {"g1a", "S1: w(x,1)!  S2: r(x,1)", "none"},
      {"left unread it does not exist", "S1: w(x,1)!  S2: r(x,0)", "all"},
      {"a committed writer of the same value is a legal candidate", "S1: w(x,1)!  S2: w(x,1)  S3: r(x,1)",
       "all"},
      {"an aborted write of the session hides nothing", "S1: w(x,1) | w(x,2)! | r(x,1)", "all"},
      {"an aborted transaction loses no update", "S1: r(x,0) w(x,1)!  S2: r(x,0) w(x,2)", "all"},
      {"its wrong reads are nobody's business", "S1: r(x,7) w(y,1) r(y,2)!", "all"},
  });
}

TEST(OracleWrongReads, OnlyFinalWritesAreVersions) {
  expect_verdicts({
      {"g1b", "S1: w(x,1) w(x,2)  S2: r(x,1)", "none"},
      {"the final write", "S1: w(x,1) w(x,2)  S2: r(x,2)", "all"},
      {"a value written again at last is final", "S1: w(x,1) w(x,2) w(x,1)  S2: r(x,1)", "all"},
      {"somebody else's final write of the value", "S1: w(x,1) w(x,2)  S2: r(x,1)  S3: w(x,1)", "all"},
      {"an intermediate write of the initial value is no version; the initial one is",
       "S1: w(x,0) w(x,1)  S2: r(x,1)  S3: r(x,0)", "all"},
  });
}

TEST(OracleWrongReads, ATransactionSeesItsOwnWritesAndNotItsFuture) {
  expect_verdicts({
      {"future read", "S1: r(x,1) w(x,1)", "none"},
      {"another transaction wrote that value before", "S1: r(x,1) w(x,1)  S2: w(x,1)", "all"},
      {"not its own write but the initial version", "S1: w(x,1) r(x,0)", "none"},
      {"not its own write but another's", "S1: w(x,1) r(x,2)  S2: w(x,2)", "none"},
      {"not its own last write", "S1: w(x,1) w(x,2) r(x,1)", "none"},
      {"its own last write each time", "S1: w(x,1) r(x,1) w(x,2) r(x,2)", "all"},
      {"a read before the own write is external", "S1: r(x,0) w(x,1) r(x,1)", "all"},
  });
}

TEST(OracleWrongReads, RepeatedReadsAgreeFromReadAtomicUp) {
  expect_verdicts({
      {"rc may move forward", "S1: r(x,0) r(x,1)  S2: w(x,1)", "rc"},
      {"and never back: the second read needs S2 before the initial transaction",
       "S1: r(x,1) r(x,0)  S2: w(x,1)", "none"},
      {"forth and back", "S1: r(x,1) r(x,2) r(x,1)  S2: w(x,1)  S3: w(x,2)", "none"},
      {"at rc each read has its own writer: S2, S3, S4 in this order",
       "S1: r(x,1) r(x,2) r(x,1)  S2: w(x,1)  S3: w(x,2)  S4: w(x,1)", "rc"},
      {"twice from the same writer", "S1: w(x,1)  S2: r(x,1) r(x,1)", "all"},
      {"twice the initial version", "S1: w(x,1)  S2: r(x,0) r(x,0)", "all"},
      {"a re-read behind another key's read, still one version",
       "S1: w(x,1) w(y,1)  S2: r(x,1) r(y,1) r(x,1)", "all"},
  });
}

}  // namespace
}  // namespace assay::test

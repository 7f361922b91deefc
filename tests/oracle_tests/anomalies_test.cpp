// The rows of levels.md's table of anomalies, its facts to test against, and the shapes on which published
// checkers were wrong.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OracleAnomalies, FromCircularInformationFlowToCausality) {
  expect_verdicts({
      {"g1c: each reads from the other", "S1: w(x,1) r(y,1)  S2: w(y,1) r(x,1)", "none"},
      {"g1c over three", "S1: w(x,1) r(z,1)  S2: r(x,1) w(y,1)  S3: r(y,1) w(z,1)", "none"},
      {"non-monotonic read: having read from S1, back to the initial x",
       "S1: w(x,1) w(y,1)  S2: r(y,1) r(x,0)", "none"},
      {"the same reads the other way round only fracture S1", "S1: w(x,1) w(y,1)  S2: r(x,0) r(y,1)", "rc"},
      {"non-monotonic against the session order of the writers; without it the second writer comes first",
       "S1: w(x,1) | w(x,2) w(y,2)  S2: r(y,2) r(x,1)", "adya-si plain-ser"},
      {"fractured against the session order of the writers", "S1: w(x,1) | w(x,2) w(y,2)  S2: r(x,1) r(y,2)",
       "rc adya-si plain-ser"},
      {"blind writes read crosswise: x wants S2 before S1, y the reverse",
       "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2)", "rc"},
      {"crosswise and x again, after the read from S2: rc wants both orders too",
       "S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: r(x,1) r(y,2) r(x,1)", "none"},
      {"causality: S1 is in S3's past through S2", "S1: w(x,1)  S2: r(x,1) w(y,1)  S3: r(y,1) r(x,0)",
       "rc ra"},
      {"causality through a session", "S1: w(x,1) | w(y,1)  S2: r(y,1) r(x,0)", "rc ra adya-si plain-ser"},
      {"reads of a session go back: only its causal past forbids it, or session order",
       "S1: w(x,1) | w(x,2)  S2: r(x,2) | r(x,1)", "rc ra adya-si plain-ser"},
  });
}

TEST(OracleAnomalies, FromLostUpdateToWriteSkew) {
  expect_verdicts({
      {"lost update", "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,2)", "rc ra cc pc"},
      {"lost update, both write the same value", "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,1)", "rc ra cc pc"},
      {"not lost: the second may have read what the first wrote", "S1: r(x,0) w(x,0)  S2: r(x,0) w(x,0)",
       "all"},
      {"not lost: x went to 1 and back to 0", "S1: r(x,0) w(x,1)  S2: r(x,1) w(x,0)  S3: r(x,0) w(x,2)",
       "all"},
      {"lost update of a written version", "S1: w(x,1)  S2: r(x,1) w(x,2)  S3: r(x,1) w(x,3)", "rc ra cc pc"},
      {"long fork", "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(x,0) r(y,1)", "rc ra cc psi"},
      {"long fork of session mates: each session is a prefix by itself",
       "S1: w(x,1) | r(x,1) r(y,0)  S2: w(y,1) | r(y,1) r(x,0)", "rc ra cc psi"},
      {"no fork: the readers are ordered", "S1: w(x,1)  S2: w(y,1)  S3: r(x,1) r(y,0)  S4: r(x,1) r(y,1)",
       "all"},
      {"read skew into which a ww leads: S2 precedes S1 on y by S3's reads, S1 missed S2's x; "
       "without sessions S3 reads backwards",
       "S1: r(x,0) w(y,2)  S2: w(x,1) w(y,1)  S3: r(y,1) | r(y,2)", "rc ra cc pc adya-si plain-ser"},
      {"write skew", "S1: r(x,0) r(y,0) w(x,1)  S2: r(x,0) r(y,0) w(y,1)", "rc ra cc pc psi si adya-si"},
      {"write skew through one read each", "S1: r(x,0) w(y,1)  S2: r(y,0) w(x,1)",
       "rc ra cc pc psi si adya-si"},
      {"write skew of a session is impossible: it is stale", "S1: r(x,0) w(y,1) | r(y,0) w(x,1)",
       "rc adya-si"},
      {"write skew over three", "S1: r(x,0) w(y,1)  S2: r(y,0) w(z,1)  S3: r(z,0) w(x,1)",
       "rc ra cc pc psi si adya-si"},
      {"read-only anomaly", "S1: r(y,0) w(y,20)  S2: r(x,0) r(y,0) w(x,-11)  S3: r(x,0) r(y,20)",
       "rc ra cc pc psi si adya-si"},
      {"the same without its read-only transaction", "S1: r(y,0) w(y,20)  S2: r(x,0) r(y,0) w(x,-11)", "all"},
  });
}

TEST(OracleAnomalies, TheInitialTransactionComesFirst) {
  expect_verdicts({
      {"the session wrote x, then read the initial one", "S1: r(x,0) w(x,1) | r(x,0)",
       "rc adya-si plain-ser"},
      {"blind", "S1: w(x,1) | r(x,0)", "rc adya-si plain-ser"},
      {"and was read in between", "S1: w(x,1) | r(x,0)  S2: r(x,1)", "rc adya-si plain-ser"},
      {"session order is not only between neighbours", "S1: w(x,1) | r(y,0) | r(x,0)",
       "rc adya-si plain-ser"},
      {"nor does a read of another session interrupt it", "S1: w(x,1) | r(y,1) | r(x,0)  S2: w(y,1)",
       "rc adya-si plain-ser"},
      {"the initial version in another session is only old", "S1: w(x,1) | r(y,0)  S2: r(x,0) | r(x,1)",
       "all"},
      {"somebody may overwrite in between", "S1: w(x,1) | r(y,0) | r(x,2)  S2: w(x,2)", "all"},
      {"the initial value written again", "S1: w(x,1) | r(x,0)  S2: w(x,0)", "all"},
      {"the initial value written again by the session", "S1: w(x,1) | w(x,0)  S2: r(x,1) | r(x,0)", "all"},
      {"the initial value written again by the same transaction", "S1: w(x,1) w(x,0) | r(x,0)", "all"},
      {"first back to 0, which nobody did", "S1: w(x,1)  S2: r(x,1) | r(x,0)", "rc ra adya-si plain-ser"},
  });
}

TEST(OracleAnomalies, RepeatedValuesHoldIfSomeChoiceOfWritersDoes) {
  expect_verdicts({
      {"x from S2, or from S1: S2 it is", "S1: w(x,1) w(y,1)  S2: w(x,1) w(y,2)  S3: r(x,1) r(y,2)", "all"},
      {"x from S3, so S2 is not fractured", "S1: r(x,1) r(y,0)  S2: w(x,1) w(y,1)  S3: w(x,1)", "all"},
      {"no choice helps: both writers of x wrote y too",
       "S1: r(y,0) r(x,1)  S2: w(x,1) w(y,1)  S3: w(x,1) w(y,2)", "rc"},
      {"each version is updated once: 0 to 1 twice, with 1 to 0 between",
       "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,1)  S3: r(x,1) w(x,0)", "all"},
      {"only one of three updates of 0 can follow the only return to it; x goes 0 1 0 1",
       "S1: r(x,0) w(x,1)  S2: r(x,0) w(x,1)  S3: r(x,0) w(x,1)  S4: r(x,1) w(x,0)", "rc ra cc pc"},
      {"reads that different writers must explain",
       "S1: w(x,1)  S2: w(x,2)  S3: w(x,1)  S4: r(x,1) | r(x,2) | r(x,1)", "all"},
  });
}

TEST(OracleAnomalies, EmptyHistoriesHold) {
  expect_verdicts({{"writes alone", "S1: w(x,1) | w(x,2)  S2: w(x,3) w(y,1)  S3: w(y,2) w(x,4)", "all"}});
}

}  // namespace
}  // namespace assay::test

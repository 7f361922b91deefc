// Lists: reads show the version order.
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OracleLists, ReadsArePrefixesOfOneOrder) {
  expect_verdicts({
      {"prefixes", "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1])  S4: r(l,[1 2])", "all"},
      {"incompatible order", "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1 2])  S4: r(l,[2 1])", "none"},
      {"neither is a prefix of the other", "S1: append(l,1)  S2: append(l,2)  S3: r(l,[1])  S4: r(l,[2])",
       "none"},
      {"duplicate element", "S1: append(l,1)  S2: r(l,[1 1])", "none"},
      {"twice because it was appended twice", "S1: append(l,1)  S2: append(l,1)  S3: r(l,[1 1])", "all"},
      {"thin air", "S1: append(l,1)  S2: r(l,[1 9])", "none"},
      {"thin air in the middle", "S1: append(l,1)  S2: r(l,[9 1])", "none"},
      {"aborted, in the middle", "S1: append(l,1)!  S2: append(l,2)  S3: r(l,[1 2])", "none"},
      {"without the aborted one", "S1: append(l,1)!  S2: append(l,2)  S3: r(l,[2])", "all"},
      {"the empty list", "S1: append(l,1)  S2: r(l,[])", "all"},
      {"the empty list after the session appended", "S1: append(l,1) | r(l,[])", "rc adya-si plain-ser"},
      {"unknown append that landed late", "S1: append(l,1)? | r(l,[])  S2: r(l,[1])", "all"},
  });
}

TEST(OracleLists, ATransactionsAppendsAreOneVersion) {
  expect_verdicts({
      {"both", "S1: append(l,1) append(l,2)  S2: r(l,[1 2])", "all"},
      {"intermediate", "S1: append(l,1) append(l,2)  S2: r(l,[1])", "none"},
      {"in the wrong order", "S1: append(l,1) append(l,2)  S2: r(l,[2 1])", "none"},
      {"somebody in between", "S1: append(l,1) append(l,2)  S2: append(l,3)  S3: r(l,[1 3 2])", "none"},
      {"one of them missing in the middle", "S1: append(l,1) append(l,2)  S2: append(l,3)  S3: r(l,[1 3])",
       "none"},
  });
}

TEST(OracleLists, OwnElementsComeLast) {
  expect_verdicts({
      {"behind the others'", "S1: append(l,1)  S2: append(l,2) r(l,[1 2])", "all"},
      {"before the others'", "S1: append(l,1)  S2: append(l,2) r(l,[2])", "all"},
      {"missing", "S1: append(l,1)  S2: append(l,2) r(l,[1])", "none"},
      {"not at the end", "S1: append(l,1)  S2: append(l,2) r(l,[2 1])", "none"},
      {"future", "S1: r(l,[1]) append(l,1)", "none"},
      {"as it grows", "S1: append(l,1) r(l,[1]) append(l,2) r(l,[1 2])", "all"},
      {"the others' part changed under it: non-repeatable",
       "S1: r(l,[]) append(l,2) r(l,[1 2])  S2: append(l,1)", "rc"},
      {"a read that showed own elements is a prefix too: nobody comes between",
       "S1: append(l,1)  S2: append(l,2) r(l,[2])  S3: r(l,[1 2])", "none"},
  });
}

TEST(OracleLists, CommitOrderContainsTheVersionOrder) {
  expect_verdicts({
      {"g0 is visible",
       "S1: append(l,1) append(m,1)  S2: append(l,2) append(m,2)  S3: r(l,[1 2])  S4: r(m,[2 1])", "none"},
      {"an append nobody read comes behind what was read", "S1: append(l,1)  S2: append(l,2)  S3: r(l,[2])",
       "all"},
      {"so it cannot precede it in the session", "S1: append(l,1) | append(l,2)  S2: r(l,[2])",
       "adya-si plain-ser"},
      {"lost update", "S1: r(l,[]) append(l,1)  S2: r(l,[]) append(l,2)", "rc ra cc pc"},
      {"lost update, read later", "S1: r(l,[]) append(l,1)  S2: r(l,[]) append(l,2)  S3: r(l,[1 2])",
       "rc ra cc pc"},
      {"read skew into which the version order leads",
       "S1: r(x,0) append(l,2)  S2: w(x,1) append(l,1)  S3: r(l,[1 2])", "rc ra cc pc"},
      {"the order of a list decides the order of a register: back from S2 to S1",
       "S1: append(l,1) w(x,1)  S2: append(l,2) w(x,2)  S3: r(l,[1 2]) r(x,1)", "none"},
      {"forth from S1 to S2", "S1: append(l,1) w(x,1)  S2: append(l,2) w(x,2)  S3: r(x,1) r(l,[1 2])", "rc"},
      {"apart", "S1: append(l,1) w(x,1)  S2: append(l,2) w(x,2)  S3: r(l,[1 2])  S4: r(x,1)", "all"},
  });
}

}  // namespace
}  // namespace assay::test

// Rows: inserts, deletes, scans, and reads and writes by predicate (docs/predicates.md).
#include <gtest/gtest.h>

#include "oracle_tests/verdicts.h"

namespace assay::test {
namespace {

TEST(OraclePredicates, AgreeWithThePapersExamples) {
  expect_verdicts({
      {"Vbox, figure 1: x is 2 where y is not",
       "@initial null S1: w(x,1) w(y,1)  S2: w(x,2) w(y,2)  S3: update-maybe(value = 2,[x=3 y=3])  "
       "S4: select(value = 2,[x=2])",
       "rc"},
      {"Viper, figure 6: y was away three times",
       "@initial null S1: insert(y,1)  S2: delete(y,true)  S3: insert(y,4)  S4: delete(y,true)  S5: "
       "scan(x,z,[])",
       "all"},
      {"and after the second insert it was there",
       "@initial null S1: insert(y,1)  S2: delete(y,true) | insert(y,4) | scan(x,z,[])  S3: r(y,4)",
       "rc adya-si plain-ser"},
  });
}

TEST(OraclePredicates, InsertsMeetNoRow) {
  expect_verdicts({
      {"unborn", "@initial null S1: insert(x,1)", "all"},
      {"dead", "@initial null S1: insert(x,1) | delete(x) | insert(x,2)", "all"},
      {"there", "S1: insert(x,1)", "none"},
      {"both inserted", "@initial null S1: insert(x,1)  S2: insert(x,2)", "rc ra cc pc"},
      {"its own row is there", "@initial null S1: insert(x,1) insert(x,2)", "none"},
      {"its own row is away", "@initial null S1: insert(x,1) delete(x,true) insert(x,2)", "all"},
      {"nothing initial, not even nothing", "@initial none S1: insert(x,1)", "none"},
  });
}

TEST(OraclePredicates, DeletesSayWhatTheyMet) {
  expect_verdicts({
      {"nothing said", "@initial null S1: delete(x)", "all"},
      {"a row that never was", "@initial null S1: delete(x,true)", "none"},
      {"no row", "@initial null S1: delete(x,false)", "all"},
      {"no row where there is one", "S1: delete(x,false)", "none"},
      {"deleted twice", "S1: delete(x,true)  S2: delete(x,true)", "rc ra cc pc"},
      {"the second met nothing and wrote nothing", "S1: delete(x,true) w(y,1)  S2: r(y,0) delete(x,false)",
       "rc"},
      {"a read of what was deleted", "S1: delete(x)  S2: r(x,null)", "all"},
      {"an aborted delete", "S1: delete(x)!  S2: r(x,null)", "none"},
      {"a deleted row does not show", "S1: delete(x) | select(value = 0,[x=0])", "rc adya-si plain-ser"},
  });
}

TEST(OraclePredicates, ReadsOfManyRowsReadEveryKey) {
  expect_verdicts({
      {"a row is missing", "S1: r(x,0) r(y,0)  S2: select(value = 0,[x=0])", "none"},
      {"it was changed", "S1: w(y,1)  S2: select(value = 0,[x=0]) r(x,0)", "all"},
      {"into what matches too", "S1: w(y,1)  S2: select(value < 5,[x=0])", "none"},
      {"an initial phantom", "@initial null S1: insert(x,1) insert(y,1)  S2: scan(a,z,[x=1])", "rc"},
      {"seen once, missed once", "@initial null S1: insert(x,1)  S2: scan(a,z,[]) scan(a,z,[x=1])", "rc"},
      {"missed after it was seen: the scan goes back",
       "@initial null S1: insert(x,1)  S2: r(x,1) scan(a,z,[])", "none"},
      {"what it says nothing about may be anything",
       "@initial null S1: w(x,1) | w(x,2)  S2: select(value = 3,[]) r(x,2)", "all"},
      {"one version must explain both",
       "@initial null S1: w(x,1) | w(x,2)  S2: select(value = 1,[]) select(value = 2,[])", "all"},
      {"and here none does", "S1: w(x,1)  S2: select(value = 1,[]) select(value = 0,[])", "rc"},
      {"nor here, where reads go back", "S1: w(x,1)  S2: select(value = 0,[]) select(value = 1,[])", "none"},
      {"its own row", "@initial null S1: insert(x,1) select(value = 1,[x=1]) scan(a,z,[x=1])", "all"},
      {"its own row missed", "@initial null S1: insert(x,1) select(value = 1,[])", "none"},
      {"lists are no rows", "S1: append(l,1) select(key = l,[]) scan(a,z,[])", "all"},
  });
}

TEST(OraclePredicates, PhantomsBreakOnlySerializability) {
  expect_verdicts({
      {"write skew by inserts",
       "@initial null S1: select(value = 1,[]) insert(x,2)  S2: select(value = 2,[]) insert(y,1)",
       "rc ra cc pc psi si adya-si"},
      {"each would have hidden the other's row",
       "S1: select(value = 0,[x=0 y=0]) w(x,1)  S2: select(value = 0,[x=0 y=0]) w(y,1)",
       "rc ra cc pc psi si adya-si"},
  });
}

TEST(OraclePredicates, UpdatesReadWhatMatchesAndWrite) {
  expect_verdicts({
      {"all rows match", "S1: update(value = 0,[x=1 y=2])  S2: r(x,1)  S3: r(y,2)", "all"},
      {"a row that matched was left out", "S1: update(value = 0,[x=1])  S2: r(y,0)", "none"},
      {"a row that cannot have matched", "S1: update(value = 5,[x=1])", "none"},
      {"the same rows twice", "S1: update(value = 0,[x=1])  S2: update(value = 0,[x=2])", "rc ra cc pc"},
      {"one after the other", "S1: update(value = 0,[x=1])  S2: update(value = 1,[x=2])", "all"},
      {"its own row again", "S1: update(value = 0,[x=1]) update(value = 1,[x=2]) r(x,2)", "all"},
      {"its own row missed", "S1: update(value = 0,[x=1]) update(value = 1,[])", "none"},
      {"fractured: both matched when one was changed",
       "S1: w(x,1) w(y,1)  S2: update(value = 1,[x=2])  S3: r(y,1)", "rc"},
  });
}

TEST(OraclePredicates, UpdatesThatMayHaveChangedRows) {
  expect_verdicts({
      {"it did", "S1: update-maybe(value = 0,[x=1])  S2: r(x,1)", "all"},
      {"it did and is read as if not", "S1: update-maybe(value = 0,[x=1]) | r(x,0)", "rc adya-si plain-ser"},
      {"it did not", "S1: w(x,5) | update-maybe(value = 0,[x=1]) | r(x,5)", "all"},
      {"keys that are not listed say nothing", "S1: update-maybe(value = 0,[x=1])  S2: r(y,0)", "all"},
      {"the count says it did", "S1: w(x,5)  S2: update-maybe(value = 0,[x=1],1)", "all"},
      {"but it cannot have", "S1: update-maybe(value = 5,[x=1],1)", "none"},
      {"one of two, and it was the other",
       "S1: w(x,5)  S2: update-maybe(value = 0,[x=1 y=1],1)  S3: r(y,0) r(x,5)", "all"},
      {"own version decides", "S1: w(x,5) update-maybe(value = 5,[x=1]) r(x,1)", "all"},
      {"own version decides against it", "S1: w(x,5) update-maybe(value = 4,[x=1]) r(x,1)", "none"},
      {"an own read behind it is external when it did nothing",
       "S1: w(x,5)  S2: r(x,5) update-maybe(value = 0,[x=1]) r(x,5)", "all"},
      {"unknown outcome, and it did", "S1: update-maybe(value = 0,[x=1])?  S2: r(x,1)", "all"},
      {"aborted, and it did", "S1: update-maybe(value = 0,[x=1])!  S2: r(x,1)", "none"},
  });
}

TEST(OraclePredicates, OperationsReadForThemselvesAtReadCommitted) {
  expect_verdicts({
      {"half of another transaction in one operation", "@initial null S1: w(x,1) w(y,1)  S2: scan(a,z,[x=1])",
       "rc"},
      {"and in two, the later half first", "@initial null S1: w(x,1) w(y,1)  S2: r(x,1) scan(y,z,[])",
       "none"},
      {"and in two, the earlier half first", "@initial null S1: w(x,1) w(y,1)  S2: scan(y,z,[]) r(x,1)",
       "rc"},
  });
}

}  // namespace
}  // namespace assay::test

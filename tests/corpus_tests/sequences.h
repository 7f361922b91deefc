// The published anomaly sequences of tests/sequences/published.txt, as histories.
//
//     rat_sda_dirty_read_pred_insert | init x,z | I1[y1] PR2{k>0 and k<2} A1 C2
//
// name | rows that exist initially, with value 0 | steps. R, W, I, D read, write, insert and delete a row, PR
// reads by predicate, C commits, A aborts; the number says in which transaction. A step names the version
// that is meant; what counts here is what happens when the steps are done one after another on a store
// without any concurrency control: a read sees the latest write of anybody, also of who has not committed; an
// abort takes back what its transaction wrote.
//
// A step that writes version 2 of a row gives it the value 2; an insert gives it 0, as rows have that exist
// initially (so that PR{v=0} sees it).
//
// Of blind writes the transactions themselves do not show which one lasted. `looked_at` is the same history
// with a last transaction that begins after all others have ended and sees all rows.
//
// Every transaction has a session of its own, and every step takes 5 of 10 ticks, so the levels of real time
// can be judged too. Keys are the numbers that predicates compare: x is 0, y 1, z 2, k3 3.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "history/history.h"

namespace assay::test {

struct Sequence {
  std::string name;   // rat_..., wat_..., iat_...
  std::string start;  // rows that exist initially; "-" for none
  std::string steps;
  History history, looked_at;
};

// All of the file; the two whose steps are SQL statements over other tables are written out by hand.
Result<std::vector<Sequence>> published_sequences();

// One line of it.
Result<Sequence> replay(std::string_view line);

}  // namespace assay::test

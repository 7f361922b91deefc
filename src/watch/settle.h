// Forgetting: finds the transactions that can be replaced by the state they leave behind, so that every
// continuation of the history is judged as before.
//
// The caller names the frontier, an instant at or after which every later transaction begins. The horizon H
// is the skew of the level of real time that is judged. A transaction is settled if it ended more than H
// before the frontier: then every later transaction follows it in every execution.
//
// Let W be an execution of the history, D the transactions up to some point of W, and R the others. D can be
// replaced by its last writes, as the initial state of R, if the following holds. K is the order of commits
// that is known: it holds in every execution of the history and of every continuation.
//
//   1. No transaction has one point inside D and one outside. Every transaction of D is settled.
//   2. A version that a transaction of R read, or may have read, from D is the last in D, and all writers of
//      its key in R follow its writer in K.
//   3. A version of D that is not the last of its key in D is dead: a settled writer of the key follows its
//      writer in K, so no later transaction can read it.
//   4. The last version of a key in D is dead too, or all writers of the key in R follow its writer in K.
//   5. For lists, whose later reads show the order of all elements: each writer in D precedes all later ones
//      of its key in K.
//
// Then: an execution of R and a continuation, from the state that D leaves, extends to one of everything by
// putting W's beginning before it. Conversely, an execution of everything remains one if D is left out: a
// read from D is of the last version in D, by 2 and 3, and nothing overwrites that version before the read,
// by 2 and 4. docs/watch.md has the whole argument.
//
// A later transaction may turn out to have written what an earlier one read, if values repeat. A settled
// transaction cannot have read from it. So K uses only the reads of settled transactions.
//
// A transaction of unknown outcome that nobody must have read from is treated like one that is yet to come:
// it may turn out to have committed. Aborted transactions are forgotten once they are settled.
//
// Conditions 1 to 5 forbid ranges of positions in W, so the latest position that none forbids is found in one
// sweep. Cost: that of clocks for the history (graph/clocks.h), and O(1) for each read and write in practice.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "dependency/read_facts.h"
#include "history/history.h"
#include "isolation/level.h"
#include "verdict/proof.h"

namespace assay::watch {

struct Settled {
  std::vector<bool> forgotten;        // by transaction
  std::size_t count = 0;              // how many
  std::int64_t frontier = INT64_MIN;  // forgetting assumes that every later transaction begins here or after
  std::vector<OpId> last_writes;      // registers: the write that leaves the state of its key
  std::vector<OpId> appends;          // lists: the forgotten appends in the order of the list
};

// Whether forgetting is sound at this level; otherwise why not.
Result<void> can_forget_at(Level level);

// `facts` are those with repeatable reads. `execution` explains the history at this level, which must be one
// that can_forget_at() accepts.
Settled settle(const History& history, const ReadFacts& facts, Level level, std::int64_t horizon,
               const Order& execution, std::int64_t frontier, Budget& budget = Budget::unlimited());

}  // namespace assay::watch

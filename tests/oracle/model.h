// A history reduced to what the definitions talk about: who reads which versions from outside, who
// finally writes what, who precedes whom in a session, and when.
//
// A version is known by its content, what a read of it returns: one value for a register, all
// elements for a list. A write turns the content before it into the content after it, so one
// search serves registers and lists, and a value written twice is simply a content reached twice.
//
// What has been decided here and nowhere else:
// - the initial transaction is number 0; it writes every key;
// - aborted transactions do not exist; an unknown one counts or does not (some_outcome);
// - reads of own writes are checked against the transaction alone;
// - of a list read after an own append, the elements before the own ones are an external read, and
//   nobody may come between them and the own ones, because the read shows a prefix of the version order.
#pragma once

#include <functional>
#include <vector>

#include "history/history.h"
#include "oracle/txn_set.h"

namespace assay::oracle {

using Content = std::vector<KeyValueId>;
using Key = std::size_t;

inline constexpr Txn kInitial = 0;

struct Read {
  Key key;
  Content content;
  bool own_follow = false;  // a list read that showed own elements directly behind `content`
};

struct Write {
  Key key;
  bool appends;
  Content content;  // the final value, or all elements appended
};

struct Transaction {
  Outcome outcome = Outcome::Committed;
  Instants instants;
  bool sees_own_writes = true;  // no read contradicts the transaction's own writes
  bool repeatable = true;       // all external reads of a key returned the same
  std::vector<Read> reads;      // the external ones, in program order
  std::vector<Write> writes;    // one for each key written
  TxnSet session_predecessors;  // the initial transaction included
};

struct Model {
  explicit Model(const History& history);

  std::size_t key_count;
  std::vector<Transaction> transactions;
  std::vector<TxnSet> writers;       // of each key
  std::vector<TxnSet> shares_a_key;  // for each transaction, the others that write a key it writes
  TxnSet committed, unknown;         // the initial transaction is in neither
};

Content after(const Write& write, const Content& before);

// Whether the history satisfies a level that `holds` judges, for some subset of the unknown
// transactions. A counting transaction that contradicts its own writes is wrong at every level.
bool some_outcome(const Model& model, const std::function<bool(TxnSet counting)>& holds);

}  // namespace assay::oracle

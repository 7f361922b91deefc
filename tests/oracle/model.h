// A history reduced to what the definitions talk about: who reads which versions from outside, who
// finally writes what, who precedes whom in a session, and when.
//
// A version is known by its content, what a read of it returns: one value for a register, all
// elements for a list. A write turns the content before it into the content after it, so one
// search serves registers and lists, and a value written twice is simply a content reached twice.
//
// Rows reduce to the same. A key that is unborn or dead has the content null. An operation on many rows is
// one read of each key of its table, of which the client may know only what it excludes: a read has a set of
// contents that it accepts. Whether a row of an update-maybe was changed is decided before anything else:
// completions() has a model for each way.
//
// What has been decided here and nowhere else:
// - the initial transaction is number 0; it writes every key;
// - aborted transactions do not exist; an unknown one counts or does not (some_outcome);
// - reads of own writes are checked against the transaction alone;
// - of a list read after an own append, the elements before the own ones are an external read, and
//   nobody may come between them and the own ones, because the read shows a prefix of the version order.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "history/history.h"
#include "oracle/txn_set.h"

namespace assay::oracle {

using Content = std::vector<KeyValueId>;
using Key = std::size_t;

inline constexpr Txn kInitial = 0;

struct Read {
  Key key;
  std::vector<Content> accepted;  // the version read has one of these
  bool own_follow = false;        // a list read that showed own elements directly behind the content
  std::size_t operation = 0;      // that it is part of, numbered within the transaction

  bool accepts(const Content& content) const {
    return std::ranges::find(accepted, content) != accepted.end();
  }
};

struct Write {
  Key key;
  bool appends;
  Content content;  // the final value, or all elements appended
};

struct Transaction {
  Outcome outcome = Outcome::Committed;
  Instants instants;
  bool sees_own_writes =
      true;                 // no read contradicts the transaction's own writes, or the number of rows changed
  std::vector<Read> reads;  // the external ones, in program order
  std::vector<Write> writes;    // one for each key written
  TxnSet session_predecessors;  // the initial transaction included
};

// The rows of update-maybe operations that were changed.
using Changes = std::set<std::pair<OpId, KeyId>>;

struct Model {
  explicit Model(const History& history, const Changes& changes = {});

  std::size_t key_count;
  std::vector<Transaction> transactions;
  std::vector<TxnSet> writers;       // of each key
  std::vector<TxnSet> shares_a_key;  // for each transaction, the others that write a key it writes
  TxnSet committed, unknown;         // the initial transaction is in neither
};

// All ways the update-maybe operations of a history may have gone; one model where there are none.
std::vector<Model> completions(const History& history);
bool some_completion(const History& history, const std::function<bool(const Model&)>& holds);

Content after(const Write& write, const Content& before);

// Whether the history satisfies a level that `holds` judges, for some subset of the unknown
// transactions. A counting transaction that contradicts its own writes is wrong at every level.
bool some_outcome(const Model& model, const std::function<bool(TxnSet counting)>& holds);

}  // namespace assay::oracle

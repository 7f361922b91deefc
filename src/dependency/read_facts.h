// Who read from whom: what a history of unique values says before any level is asked.
//
// Each read is either a fact (it saw the final write of one transaction that counts, or the initial
// version) or wrong at every level. Unknown transactions count only when something that counts read
// from them; one with a wrong read of its own cannot have committed, so it is no writer for anybody.
// One pass over the operations plus one per round of refuted unknowns: O(operations) in practice.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/result.h"
#include "history/history.h"
#include "isolation/anomaly.h"

namespace assay {

struct ReadFact {
  TxnId reader;
  OpId op;
  KeyId key;
  TxnId writer;  // none: the initial transaction
};

struct WrongRead {
  Anomaly anomaly;
  TxnId reader;
  OpId op;
  TxnId other;  // whose write it saw, or none
};

struct ReadFacts {
  std::vector<ReadFact> reads;           // external ones of transactions that count; by reader, in program order
  std::vector<std::uint32_t> begin;      // reads of t are reads[begin[t] .. begin[t + 1])
  std::vector<bool> counts;              // by transaction
  std::vector<WrongRead> wrong;          // of transactions that count
  std::vector<std::uint32_t> write_begin;  // final writes of t are writes[write_begin[t] .. write_begin[t + 1])
  std::vector<KeyId> writes;             // sorted within a transaction

  std::span<const ReadFact> of(TxnId t) const {
    return {reads.data() + begin[t.index()], begin[t.index() + 1] - begin[t.index()]};
  }
  std::span<const KeyId> written_by(TxnId t) const {
    return {writes.data() + write_begin[t.index()], write_begin[t.index() + 1] - write_begin[t.index()]};
  }
  bool writes_key(TxnId t, KeyId key) const { return std::ranges::binary_search(written_by(t), key); }
};

// `repeatable`: all external reads of a key in a transaction must see one version (read-atomic and up);
// the first stands for them. Otherwise each is a fact of its own.
// An error when the history is of a kind that is not judged: lists, rows, values with several writers.
Result<ReadFacts> read_facts(const History& history, bool repeatable);

}  // namespace assay

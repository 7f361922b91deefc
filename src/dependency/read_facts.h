// Which transactions read from which: the facts of a history that are found before any level is judged.
//
// A read is external if its transaction has not written the key before. An external read is known if it can
// have returned only one version, open if it can have returned several, and wrong at every level if none. The
// versions that it can have returned are its candidates, and their transactions its candidate writers.
//
// A committed transaction counts: every execution contains it. A transaction of unknown outcome counts too if
// one that counts can only have read from it. It may count, as part of some executions, if one that counts or
// may count may have read from it. If it has a wrong read of its own, it cannot have committed, so no read is
// from it. Cost: one pass over the operations, and one for each round that refutes such transactions;
// O(operations) in practice.
//
//     versions.h           the version that each transaction wrote of each key
//     value_writers        the transactions that wrote a value
//     transaction_reads.h  the candidates of a transaction's reads, or what is wrong with them
//     agreed_values.h      reads that state only a set of possible values
//     list_facts           the same for lists, and the version order that they show
//     version_index        versions and reads by key
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/column.h"
#include "base/result.h"
#include "dependency/versions.h"
#include "isolation/anomaly.h"

namespace assay {

struct ReadFact {
  TxnId reader;
  OpId op;
  KeyId key;
  TxnId writer;  // none: the initial transaction
  VersionId version;
};

// Reads with a known writer.
struct KnownReads {
  Column<ReadFact> reads;            // external reads of transactions that count; by reader, in program order
  std::vector<std::uint32_t> begin;  // reads of t are reads[begin[t] .. begin[t + 1])

  std::span<const ReadFact> of(TxnId t) const {
    return {reads.data() + begin[t.index()], begin[t.index() + 1] - begin[t.index()]};
  }
  std::uint32_t place(const ReadFact& read) const { return static_cast<std::uint32_t>(&read - reads.data()); }
};

// An external read that is not known. It has several candidates, or one that may not exist, or its reader
// only may count, or it decides whether a conditional write takes place.
struct OpenRead {
  TxnId reader;
  OpId op;
  KeyId key;
  std::uint32_t first, last;  // a range of OpenReads::candidates
};

// Reads with several candidate writers.
struct OpenReads {
  std::vector<OpenRead> open;         // external ones; by reader, in program order
  std::vector<VersionId> candidates;  // of all open reads
  bool has_sets = false;              // some reads state only a set of possible values

  std::span<const OpenRead> open_of(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(open, t, {}, &OpenRead::reader);
    return {first, last};
  }
  std::span<const VersionId> candidates_of(const OpenRead& read) const {
    return {candidates.data() + read.first, read.last - read.first};
  }
  std::uint32_t place(const OpenRead& read) const { return static_cast<std::uint32_t>(&read - open.data()); }
};

// Which transactions belong to an execution.
struct CountedTransactions {
  std::vector<bool> counts;     // by transaction: belongs to every execution
  std::vector<bool> may_count;  // by transaction: belongs to some only; empty if there are none

  bool may_count_only(TxnId t) const { return !may_count.empty() && may_count[t.index()]; }
};

// A list read shows one version of its key before another.
struct VersionOrder {
  OpId read;
  VersionId before, after;
  bool adjacent;  // no version lies between them; otherwise the read does not show `after`, so it comes later
};

// An order that a list read of a transaction which may count shows. It holds if that transaction counts.
struct PossibleOrder {
  TxnId reader;
  VersionOrder order;
};

// The version order as lists show it.
struct ShownOrders {
  std::vector<VersionOrder> observed;            // a version is `after` in at most one
  std::vector<PossibleOrder> possibly_observed;  // by reader; without orders in `observed`

  std::span<const PossibleOrder> possibly_observed_by(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(possibly_observed, t, {}, &PossibleOrder::reader);
    return {first, last};
  }
};

struct WrongRead {
  Anomaly anomaly;
  TxnId reader;
  OpId op;
  TxnId other;  // the transaction whose write it returned, or none
  // Only for incompatible-order: the list read that shows `first` where this one shows `other`.
  OpId against{};
  TxnId first{};
};

// All facts of a history. A function that needs only one part takes that part.
struct ReadFacts : Versions, KnownReads, OpenReads, CountedTransactions, ShownOrders {
  std::vector<WrongRead> wrong;  // of transactions that count

  using KnownReads::place;
  using OpenReads::place;
  using Versions::place;
};

// `repeatable`: all external reads of a key in a transaction must return one version (ra and stronger
// levels), so only the first of them is a fact. Otherwise each is a fact of its own. Returns an error for
// histories that are not judged (rows, or list reads of elements that were appended twice), and when the
// budget is spent (Error::is_limit).
Result<ReadFacts> read_facts(const History& history, bool repeatable, Budget& budget = Budget::unlimited());

}  // namespace assay

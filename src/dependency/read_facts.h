// Who read from whom: what a history says before any level is asked.
//
// Each read is a fact (only one transaction can have written what it saw, or only the initial one), open
// (several can have), or wrong at every level. Transactions of unknown outcome count when something that
// counts can only have read from them, and may count when it may have. One with a wrong read of its own
// cannot have committed, so no read is from it. Cost: one pass over the operations, and one for each round in
// which such transactions are refuted; O(operations) in practice.
//
//     versions.h           what each transaction left in each key
//     value_writers        which transactions wrote a value
//     transaction_reads.h  goes through the reads of a transaction: what each may have seen, or what is wrong
//     agreed_values.h      reads that say only which values they can have returned
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

// Reads of which the writer is known.
struct KnownReads {
  Column<ReadFact> reads;            // external ones of transactions that count; by reader, in program order
  std::vector<std::uint32_t> begin;  // reads of t are reads[begin[t] .. begin[t + 1])

  std::span<const ReadFact> of(TxnId t) const {
    return {reads.data() + begin[t.index()], begin[t.index() + 1] - begin[t.index()]};
  }
  std::uint32_t place(const ReadFact& read) const { return static_cast<std::uint32_t>(&read - reads.data()); }
};

// A read with several possible writers; or any read of a transaction that may count.
struct OpenRead {
  TxnId reader;
  OpId op;
  KeyId key;
  std::uint32_t first, last;  // in OpenReads::candidates
};

// Reads of which the writer is one of several.
struct OpenReads {
  std::vector<OpenRead> open;         // external ones; by reader, in program order
  std::vector<VersionId> candidates;  // of open reads
  bool has_sets = false;              // some reads say only which values they can have returned

  std::span<const OpenRead> open_of(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(open, t, {}, &OpenRead::reader);
    return {first, last};
  }
  std::span<const VersionId> candidates_of(const OpenRead& read) const {
    return {candidates.data() + read.first, read.last - read.first};
  }
  std::uint32_t place(const OpenRead& read) const { return static_cast<std::uint32_t>(&read - open.data()); }
};

// Which transactions are part of an execution.
struct CountedTransactions {
  std::vector<bool> counts;     // by transaction: of every execution
  std::vector<bool> may_count;  // by transaction: of some; empty when there is none

  bool may_count_only(TxnId t) const { return !may_count.empty() && may_count[t.index()]; }
};

// A list read shows one version of its key before another.
struct VersionOrder {
  OpId read;
  VersionId before, after;
  bool adjacent;  // nothing comes between; otherwise `after` is one of those that the read does not show
};

// The same of a list read of a transaction that may count: true if it does.
struct PossibleOrder {
  TxnId reader;
  VersionOrder order;
};

// The version order as lists show it.
struct ShownOrders {
  std::vector<VersionOrder> observed;            // a version has at most one before it
  std::vector<PossibleOrder> possibly_observed;  // by reader; not what `observed` says too

  std::span<const PossibleOrder> possibly_observed_by(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(possibly_observed, t, {}, &PossibleOrder::reader);
    return {first, last};
  }
};

struct WrongRead {
  Anomaly anomaly;
  TxnId reader;
  OpId op;
  TxnId other;  // whose write it saw, or none
  // incompatible-order: the list read that shows `first` where this one shows `other`.
  OpId against{};
  TxnId first{};
};

// All of these. A part by itself is what a function takes that needs no other.
struct ReadFacts : Versions, KnownReads, OpenReads, CountedTransactions, ShownOrders {
  std::vector<WrongRead> wrong;  // of transactions that count

  using KnownReads::place;
  using OpenReads::place;
  using Versions::place;
};

// `repeatable`: all external reads of a key in a transaction must see one version (read-atomic and up);
// the first stands for them. Otherwise each is a fact of its own.
// An error when the history is of a kind that is not judged: rows, lists with elements that were appended
// twice; and when the budget is spent (Error::is_limit).
Result<ReadFacts> read_facts(const History& history, bool repeatable, Budget& budget = Budget::unlimited());

}  // namespace assay

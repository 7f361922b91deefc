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

// A version is what a transaction left in a key: the number of its place in ReadFacts::writes. The initial version of a
// key comes after all of these.
using VersionId = Id<struct VersionTag>;

struct ReadFact {
  TxnId reader;
  OpId op;
  KeyId key;
  TxnId writer;  // none: the initial transaction
  VersionId version;
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

// A list read shows one version of its key before another.
struct VersionOrder {
  OpId read;
  VersionId before, after;
  bool adjacent;  // nothing comes between; otherwise `after` is one of those that the read does not show
};

struct ReadFacts {
  std::vector<ReadFact> reads;           // external ones of transactions that count; by reader, in program order
  std::vector<std::uint32_t> begin;      // reads of t are reads[begin[t] .. begin[t + 1])
  std::vector<bool> counts;              // by transaction
  std::vector<WrongRead> wrong;          // of transactions that count
  std::vector<std::uint32_t> write_begin;  // final writes of t are writes[write_begin[t] .. write_begin[t + 1])
  std::vector<KeyId> writes;             // by version, sorted within a transaction
  std::vector<TxnId> version_writer;     // by version
  std::vector<VersionOrder> observed;    // of lists; a version has at most one before it

  std::span<const ReadFact> of(TxnId t) const {
    return {reads.data() + begin[t.index()], begin[t.index() + 1] - begin[t.index()]};
  }
  std::uint32_t place(const ReadFact& read) const { return static_cast<std::uint32_t>(&read - reads.data()); }
  std::span<const KeyId> written_by(TxnId t) const {
    return {writes.data() + write_begin[t.index()], write_begin[t.index() + 1] - write_begin[t.index()]};
  }
  IdRange<VersionId> versions_by(TxnId t) const {
    return {VersionId(write_begin[t.index()]), VersionId(write_begin[t.index() + 1])};
  }
  bool writes_key(TxnId t, KeyId key) const { return std::ranges::binary_search(written_by(t), key); }
  bool is_initial(VersionId v) const { return v.index() >= writes.size(); }
  VersionId initial_version(KeyId key) const { return VersionId(writes.size() + key.index()); }
  KeyId key(VersionId v) const { return is_initial(v) ? KeyId(v.index() - writes.size()) : writes[v.index()]; }
  TxnId writer(VersionId v) const { return is_initial(v) ? TxnId::none() : version_writer[v.index()]; }
};

// `repeatable`: all external reads of a key in a transaction must see one version (read-atomic and up);
// the first stands for them. Otherwise each is a fact of its own.
// An error when the history is of a kind that is not judged: rows, values with several writers.
Result<ReadFacts> read_facts(const History& history, bool repeatable);

// The versions of each key that count, and the reads of each version: what a search walks along.
struct VersionIndex {
  std::vector<std::uint32_t> key_begin, version_begin;
  std::vector<VersionId> versions;       // by key
  std::vector<std::uint32_t> reads;      // places in ReadFacts::reads, by version
  std::vector<TxnId> readers;            // of these

  explicit VersionIndex(const ReadFacts& facts, std::size_t keys);

  std::span<const VersionId> of(KeyId key) const {
    return {versions.data() + key_begin[key.index()], key_begin[key.index() + 1] - key_begin[key.index()]};
  }
  std::span<const std::uint32_t> reads_of(VersionId v) const {
    return {reads.data() + version_begin[v.index()], version_begin[v.index() + 1] - version_begin[v.index()]};
  }
  std::span<const TxnId> readers_of(VersionId v) const {
    return {readers.data() + version_begin[v.index()], version_begin[v.index() + 1] - version_begin[v.index()]};
  }
};

}  // namespace assay

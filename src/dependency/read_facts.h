// Who read from whom: what a history says before any level is asked.
//
// Each read is a fact (only one transaction can have written what it saw, or only the initial one), open
// (several can have), or wrong at every level. Unknown transactions count when something that counts can only
// have read from them, and may count when it may have; one with a wrong read of its own cannot have
// committed, so it is no writer for anybody. One pass over the operations plus one per round of refuted
// unknowns: O(operations) in practice.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/column.h"
#include "base/result.h"
#include "history/history.h"
#include "history/matches.h"
#include "isolation/anomaly.h"

namespace assay {

// A version is what a transaction left in a key: the number of its place in ReadFacts::writes. The initial
// version of a key comes after all of these, and then what conditional writes may have left: whoever walks
// along writes and keys, and does not ask for these, sees only what is there for certain.
using VersionId = Id<struct VersionTag>;

struct ReadFact {
  TxnId reader;
  OpId op;
  KeyId key;
  TxnId writer;  // none: the initial transaction
  VersionId version;
};

// A read with several possible writers; or any read of a transaction that may count.
struct OpenRead {
  TxnId reader;
  OpId op;
  KeyId key;
  std::uint32_t first, last;  // in ReadFacts::candidates
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

// The same of a list read of a transaction that may count: true if it does.
struct PossibleOrder {
  TxnId reader;
  VersionOrder order;
};

// A row that its transaction, which counts, changed if the version that it met matched.
struct ConditionalWrite {
  TxnId writer;
  OpId op;
  KeyId key;
  std::uint32_t read;  // open read: of what it met
  std::uint32_t test;  // in ReadFacts::tests
};

// Of the conditional writes of a statement exactly so many took place.
struct CountedWrites {
  std::uint32_t first, last;  // in ReadFacts::conditional
  std::uint64_t count;
};

struct ReadFacts {
  Column<ReadFact> reads;            // external ones of transactions that count; by reader, in program order
  std::vector<std::uint32_t> begin;  // reads of t are reads[begin[t] .. begin[t + 1])
  std::vector<bool> counts;          // by transaction
  std::vector<WrongRead> wrong;      // of transactions that count
  std::vector<std::uint32_t>
      write_begin;                     // final writes of t are writes[write_begin[t] .. write_begin[t + 1])
  Column<KeyId> writes;                // by version, sorted within a transaction
  Column<TxnId> version_writer;        // by version
  std::vector<VersionOrder> observed;  // of lists; a version has at most one before it
  std::vector<PossibleOrder> possibly_observed;  // by reader; not what the others observed shows too
  std::vector<OpenRead> open;                    // external ones too; by reader, in program order
  std::vector<VersionId> candidates;             // of open reads
  std::vector<bool> may_count;                   // by transaction; empty when there is none
  bool has_sets = false;                         // some reads say only which values they can have returned
  std::vector<ConditionalWrite> conditional;     // by writer
  std::vector<RowTest> tests;                    // of their statements
  std::vector<KeyValueId> values;  // by version, but for the initial ones and theirs; if there are any
  std::vector<CountedWrites> counted;
  std::size_t keys = 0;  // of the history

  std::span<const ReadFact> of(TxnId t) const {
    return {reads.data() + begin[t.index()], begin[t.index() + 1] - begin[t.index()]};
  }
  std::span<const OpenRead> open_of(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(open, t, {}, &OpenRead::reader);
    return {first, last};
  }
  std::span<const VersionId> candidates_of(const OpenRead& read) const {
    return {candidates.data() + read.first, read.last - read.first};
  }
  std::span<const PossibleOrder> possibly_observed_by(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(possibly_observed, t, {}, &PossibleOrder::reader);
    return {first, last};
  }
  std::uint32_t place(const OpenRead& read) const { return static_cast<std::uint32_t>(&read - open.data()); }
  bool may_count_only(TxnId t) const { return !may_count.empty() && may_count[t.index()]; }
  std::uint32_t place(const ReadFact& read) const { return static_cast<std::uint32_t>(&read - reads.data()); }
  std::span<const KeyId> written_by(TxnId t) const {
    return {writes.data() + write_begin[t.index()], write_begin[t.index() + 1] - write_begin[t.index()]};
  }
  IdRange<VersionId> versions_by(TxnId t) const {
    return {VersionId(write_begin[t.index()]), VersionId(write_begin[t.index() + 1])};
  }
  bool write_common_key(TxnId a, TxnId b) const {
    return std::ranges::any_of(written_by(a), [&](KeyId key) { return writes_key(b, key); });
  }
  bool writes_key(TxnId t, KeyId key) const { return std::ranges::binary_search(written_by(t), key); }
  bool is_initial(VersionId v) const { return v.index() >= writes.size() && !is_conditional(v); }
  bool is_conditional(VersionId v) const {  // none() is not
    return v.index() >= writes.size() + keys && v.index() < writes.size() + keys + conditional.size();
  }
  VersionId conditional_version(std::size_t place) const { return VersionId(writes.size() + keys + place); }
  std::uint32_t conditional_place(VersionId v) const {
    return static_cast<std::uint32_t>(v.index() - writes.size() - keys);
  }
  std::span<const ConditionalWrite> conditional_by(TxnId t) const {
    const auto [first, last] = std::ranges::equal_range(conditional, t, {}, &ConditionalWrite::writer);
    return {first, last};
  }
  std::uint32_t place(const ConditionalWrite& write) const {
    return static_cast<std::uint32_t>(&write - conditional.data());
  }
  // Whether it took place if it met this version, which is one of those that it can have met.
  bool takes_place(const History& history, const ConditionalWrite& write, VersionId met) const {
    const KeyValueId value = is_conditional(met)
                                 ? history.conditional_value(conditional[conditional_place(met)].op)
                             : is_initial(met) ? history.initial_value(key(met))
                                               : values[met.index()];
    return !value.is_none() && tests[write.test](write.key, history.value(value));
  }
  VersionId initial_version(KeyId key) const { return VersionId(writes.size() + key.index()); }
  KeyId key(VersionId v) const {
    if (is_conditional(v)) return conditional[conditional_place(v)].key;
    return is_initial(v) ? KeyId(v.index() - writes.size()) : writes[v.index()];
  }
  TxnId writer(VersionId v) const {
    if (v.index() < writes.size()) return version_writer[v.index()];
    return is_initial(v) ? TxnId::none() : conditional[conditional_place(v)].writer;
  }
};

// `repeatable`: all external reads of a key in a transaction must see one version (read-atomic and up);
// the first stands for them. Otherwise each is a fact of its own.
// An error when the history is of a kind that is not judged: rows, lists with elements that were appended
// twice; and when the budget is spent (Error::is_limit).
Result<ReadFacts> read_facts(const History& history, bool repeatable, Budget& budget = Budget::unlimited());

// The versions of each key that count, and the reads of each version: what a search walks along.
struct VersionIndex {
  std::vector<std::uint32_t> key_begin, version_begin;
  std::vector<VersionId> versions;   // by key
  std::vector<std::uint32_t> reads;  // places in ReadFacts::reads, by version
  std::vector<TxnId> readers;        // of these
  // By key; empty without such reads or transactions.
  std::vector<std::uint32_t> open_begin, open_reads;  // places in ReadFacts::open
  std::vector<std::uint32_t> possible_begin;
  std::vector<VersionId> possible;  // versions of transactions that may count
  std::vector<std::uint32_t> conditional_begin;
  std::vector<VersionId> conditional;  // versions of conditional writes

  explicit VersionIndex(const ReadFacts& facts, std::size_t keys);
  // Again, after their number has changed.
  void index_open_reads(const ReadFacts& facts);

  std::span<const VersionId> of(KeyId key) const {
    return {versions.data() + key_begin[key.index()], key_begin[key.index() + 1] - key_begin[key.index()]};
  }
  std::span<const std::uint32_t> open_of(KeyId key) const {
    if (open_begin.empty()) return {};
    return {open_reads.data() + open_begin[key.index()],
            open_begin[key.index() + 1] - open_begin[key.index()]};
  }
  std::span<const VersionId> possible_of(KeyId key) const {
    if (possible_begin.empty()) return {};
    return {possible.data() + possible_begin[key.index()],
            possible_begin[key.index() + 1] - possible_begin[key.index()]};
  }
  std::span<const VersionId> conditional_of(KeyId key) const {
    if (conditional_begin.empty()) return {};
    return {conditional.data() + conditional_begin[key.index()],
            conditional_begin[key.index() + 1] - conditional_begin[key.index()]};
  }
  // Nobody is known to have read what need not be there.
  std::span<const std::uint32_t> reads_of(VersionId v) const {
    if (v.index() + 1 >= version_begin.size()) return {};
    return {reads.data() + version_begin[v.index()], version_begin[v.index() + 1] - version_begin[v.index()]};
  }
  std::span<const TxnId> readers_of(VersionId v) const {
    if (v.index() + 1 >= version_begin.size()) return {};
    return {readers.data() + version_begin[v.index()],
            version_begin[v.index() + 1] - version_begin[v.index()]};
  }
};

}  // namespace assay

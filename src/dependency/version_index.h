// An index of versions by key and of reads by version, for saturation and the search. It holds the versions
// of transactions that count.
#pragma once

#include <span>
#include <vector>

#include "dependency/read_facts.h"

namespace assay {

struct VersionIndex {
  std::vector<std::uint32_t> key_begin, version_begin;
  std::vector<VersionId> versions;   // by key
  std::vector<std::uint32_t> reads;  // indices in ReadFacts::reads, by version
  std::vector<TxnId> readers;        // the readers of these reads
  // By key; empty if there are no such reads or versions.
  std::vector<std::uint32_t> open_begin, open_reads;  // indices in ReadFacts::open
  std::vector<std::uint32_t> possible_begin;
  std::vector<VersionId> possible;  // versions of transactions that may count
  std::vector<std::uint32_t> conditional_begin;
  std::vector<VersionId> conditional;  // versions of conditional writes

  explicit VersionIndex(const ReadFacts& facts, std::size_t keys);
  // Rebuilds the index of open reads after some were added.
  void index_open_reads(const ReadFacts& facts);

  std::span<const VersionId> of(KeyId key) const { return part(versions, key_begin, key); }
  std::span<const std::uint32_t> open_of(KeyId key) const { return part(open_reads, open_begin, key); }
  std::span<const VersionId> possible_of(KeyId key) const { return part(possible, possible_begin, key); }
  std::span<const VersionId> conditional_of(KeyId key) const {
    return part(conditional, conditional_begin, key);
  }
  // Only versions that exist for certain have known reads.
  std::span<const std::uint32_t> reads_of(VersionId v) const { return part(reads, version_begin, v); }
  std::span<const TxnId> readers_of(VersionId v) const { return part(readers, version_begin, v); }

 private:
  // The values of one group, of values that are grouped by an id; empty if there is no such group.
  template <class T, class Group>
  static std::span<const T> part(const std::vector<T>& values, const std::vector<std::uint32_t>& begin,
                                 Group group) {
    if (group.index() + 1 >= begin.size()) return {};
    return {values.data() + begin[group.index()], begin[group.index() + 1] - begin[group.index()]};
  }
};

}  // namespace assay

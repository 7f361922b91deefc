// The chains of a history: the transactions, covered by paths along what is known of their order.
//
// Sessions are chains when the level has session order; a transaction of unknown outcome precedes nothing in its session,
// so it is a chain by itself. When there are many sessions for the history's size, or they do not count, chains are
// laid greedily along sessions and reads.
#pragma once

#include <string>

#include "dependency/read_facts.h"
#include "graph/chain_cover.h"

namespace assay {

struct TxnChains {
  ChainCover cover;  // by transaction; those that do not count are in no chain
  std::string how;   // for those who ask
};

// Session order (if asked for) and reads form no cycle.
TxnChains transaction_chains(const History& history, const ReadFacts& facts, bool session_order);

// The writers of each key that count, by chain and then by position: "the last one of the chain up to here".
class ChainWriters {
 public:
  struct Writer {
    std::uint32_t position;
    TxnId txn;
    VersionId version;
  };
  struct Group {
    std::uint32_t chain, begin, end;
  };

  ChainWriters(const ReadFacts& facts, const ChainCover& cover, std::size_t keys);

  std::span<const Group> groups(KeyId key) const {
    return {groups_.data() + key_begin_[key.index()], key_begin_[key.index() + 1] - key_begin_[key.index()]};
  }
  // The last writer of the group whose position is below `limit`; null: there is none.
  const Writer* last_below(const Group& group, std::uint32_t limit) const {
    const Writer* first = writers_.data() + group.begin;
    const Writer* last = writers_.data() + group.end;
    if (first->position >= limit) return nullptr;
    if (last[-1].position < limit) return last - 1;
    return std::partition_point(first, last, [&](const Writer& w) { return w.position < limit; }) - 1;
  }

 private:
  std::vector<std::uint32_t> key_begin_;
  std::vector<Group> groups_;
  std::vector<Writer> writers_;
};

}  // namespace assay

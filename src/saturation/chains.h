// Covers the transactions of a history by chains: paths along their known order.
//
// At levels with session order, sessions are chains. A transaction of unknown outcome precedes nothing in its
// session, so it is a chain by itself. If the sessions are many for the history's size, or the level has no
// session order, chains are laid greedily along sessions and reads. Where real time orders commits before
// snapshots, they may follow times instead; then there are no more chains than transactions that overlap.
#pragma once

#include <optional>
#include <string>

#include "dependency/points.h"
#include "dependency/read_facts.h"
#include "graph/chain_cover.h"

namespace assay {

struct TxnChains {
  ChainCover cover;  // by transaction; those that cannot count are in no chain
  std::string how;   // for reports
};

// Requires that reads, and session order if it is used, form no cycle.
TxnChains transaction_chains(const History& history, const ReadFacts& facts, bool session_order);

// Chains along the last of the graph's chains of times that leads from commits to snapshots. A transaction
// may continue a chain if a path of times leads from the chain's last commit to its snapshot. Returns nothing
// if no times lead to snapshots. O(edges + n log n).
std::optional<TxnChains> chains_along_times(const ReadFacts& facts, const KnownGraph& known,
                                            const Points& points);

// The smaller of these two covers. Chains along times are tried only if the other chains are many.
TxnChains fewest_chains(const History& history, const ReadFacts& facts, const PointRules& rules,
                        const KnownGraph& known);

struct ChainRange {
  std::uint32_t first, beyond;
  std::size_t count() const { return beyond - first; }
};

// The writers of each key that count, by chain and then by position. Finds the last writer within a range of
// each chain.
//
// Few writers are scanned one by one, which costs no mispredicted branch. Of many, the last is found by
// binary search, unless the key was prepared for many queries. Then each chain is cut into blocks of as many
// transactions as there are on average for each writer, and a table by block gives nearly the answer.
class ChainWriters {
 public:
  struct Writer {
    std::uint32_t chain, position;
    VersionId version;
  };

  ChainWriters(const ReadFacts& facts, const ChainCover& cover, std::size_t keys);

  std::span<const Writer> of(KeyId key) const {
    return {writers_.data() + key_begin_[key.index()], key_begin_[key.index() + 1] - key_begin_[key.index()]};
  }
  TxnId at(std::uint32_t chain, std::uint32_t position) const {
    return by_chain_[chain_begin_[chain] + position];
  }
  TxnId txn(const Writer& writer) const { return at(writer.chain, writer.position); }

  ChainRange all_chains() const { return {0, static_cast<std::uint32_t>(chains_)}; }

  // Prepares for queries about this key. O(its writers) if they are many.
  void prepare(KeyId key);
  bool is_prepared(KeyId key) const { return key == prepared_; }

  // For each of the chains from `first` to before `beyond`, calls visit(writer) with the last writer of the
  // key, other than `except`, whose position is at least from(chain) and below to(chain).
  template <class From, class To, class Visit>
  void last_between(KeyId key, ChainRange chains, From from, To to, TxnId except, Visit visit) const {
    const Writer* const all = writers_.data() + key_begin_[key.index()];
    const Writer* begin = all;
    const Writer* end = writers_.data() + key_begin_[key.index() + 1];
    if (chains.count() < chains_) {
      begin = std::partition_point(begin, end, [&](const Writer& w) { return w.chain < chains.first; });
      end = std::partition_point(begin, end, [&](const Writer& w) { return w.chain < chains.beyond; });
    }
    if (static_cast<std::size_t>(end - begin) <= kFew * chains.count()) {
      const Writer* last = nullptr;
      for (; begin != end; ++begin) {
        // `&`, not `&&`: each test alone is unpredictable, but both together hardly ever hold.
        const bool inside = (begin->position >= from(begin->chain)) & (begin->position < to(begin->chain));
        if (!inside || txn(*begin) == except) continue;
        if (last != nullptr && last->chain != begin->chain) visit(*last);
        last = begin;
      }
      if (last != nullptr) visit(*last);
      return;
    }
    const auto visit_last = [&](const Writer* first, const Writer* beyond, std::uint32_t low) {
      if (beyond != first && txn(beyond[-1]) == except) --beyond;
      if (beyond != first && beyond[-1].position >= low) visit(beyond[-1]);
    };
    if (is_prepared(key)) {
      for (std::uint32_t chain = chains.first; chain < chains.beyond; ++chain) {
        const std::uint32_t low = from(chain), high = to(chain);
        if (low >= high) continue;
        const std::uint32_t* const blocks = blocks_.data() + block_begin_[chain];
        const Writer* const chain_end = all + blocks_[block_begin_[chain + 1]];
        const Writer* beyond = all + blocks[high >> block_shift_];
        while (beyond != chain_end && beyond->position < high) ++beyond;
        visit_last(all + blocks[0], beyond, low);
      }
      return;
    }
    while (begin != end) {
      const std::uint32_t chain = begin->chain, low = from(chain), high = to(chain);
      const Writer* const chain_end =
          std::partition_point(begin, end, [&](const Writer& w) { return w.chain == chain; });
      visit_last(begin,
                 std::partition_point(begin, chain_end, [&](const Writer& w) { return w.position < high; }),
                 low);
      begin = chain_end;
    }
  }

 private:
  static constexpr std::size_t kFew = 8;  // writers per chain

  std::size_t chains_;
  KeyId prepared_;
  // For the prepared key: by block, the number of its writers before it, in its chain or an earlier one.
  std::uint32_t block_shift_ = 0;
  std::vector<std::uint32_t> block_begin_, blocks_;  // by chain
  std::vector<std::uint32_t> chain_begin_, key_begin_;
  std::vector<TxnId> by_chain_;  // by chain and position
  std::vector<Writer> writers_;
};

}  // namespace assay

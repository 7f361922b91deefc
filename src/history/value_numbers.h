// Gives every distinct value of every key its KeyValueId, all at once.
//
// Looking up each value in one big table as it arrives misses the cache twice for every operation; that was
// most of what reading a large history cost. So values are only noted as they arrive, in one chain of blocks
// for every 512 keys: the ends of the chains stay in the cache. In the end each chain is sorted by key, each
// key's values are looked up in a table no larger than the key needs, and the numbers are handed out in the
// order in which the chain was filled, which goes through memory forwards. A chain of a few ten thousand
// mentions fits the cache. Grouping all mentions in one sort by key instead took the same time for two
// million of them, and a quarter more for ten million: every step touches another page.
//
// Invariant: the values of a key get consecutive numbers, in the order of their first mentions, and smaller
// keys get smaller numbers. Cost: linear in mentions and keys; 16 bytes a mention, and 8 while its chain is
// sorted.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/column.h"
#include "history/history.h"

namespace assay {

class ValueNumbers {
 public:
  // Says that `place` wants the number of this value.
  void mention(KeyId key, Scalar value, std::size_t place) {
    const std::size_t group = key.index() / kKeys;
    if (group >= chains_.size()) chains_.resize(group + 1);
    Chain& chain = chains_[group];
    if (chain.used == kBlock) lengthen(chain);
    Mention& m = mentions_[chain.last * kBlock + chain.used++];
    m.bits = value.bits;
    m.place = static_cast<std::uint32_t>(place);
    m.key = static_cast<std::uint16_t>(key.index() % kKeys);
    m.kind = value.kind;
  }

  bool empty() const { return chains_.empty(); }

  // Writes the numbers to the places that were mentioned, and says what each number stands for.
  Column<KeyValue> number(std::span<std::uint32_t> places) &&;

 private:
  static constexpr std::size_t kKeys = 512;   // that share a chain
  static constexpr std::size_t kBlock = 256;  // mentions in a block
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Mention {
    std::uint64_t bits;  // once its value has a number: that
    std::uint32_t place;
    std::uint16_t key;  // counted in its chain
    ScalarKind kind;
  };
  struct Chain {
    std::uint32_t first = kNone;
    std::size_t last = 0;
    std::size_t used = kBlock;  // of the last block; all others are full
  };
  // The mentions of a chain, one key after the other.
  struct Sorted {
    std::vector<Mention*> mentions;
    std::array<std::size_t, kKeys + 1> end;  // of each key
  };

  void lengthen(Chain& chain);
  template <class Visit>
  void for_each(const Chain& chain, Visit visit);
  void sort(const Chain& chain, Sorted& into);

  Column<Mention> mentions_;         // block after block
  std::vector<std::uint32_t> next_;  // of each block: the one behind it in its chain
  std::vector<Chain> chains_;
};

}  // namespace assay

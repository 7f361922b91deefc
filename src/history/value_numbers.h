// Gives every distinct value of every key its KeyValueId, all at once.
//
// Looking up each value in one big table as it arrives misses the cache twice for every operation; that was
// most of the cost of reading a large history. So mention() only appends the value to a chain of blocks, one
// chain for every 512 keys; the ends of the chains stay in the cache. number() sorts each chain by key and
// looks up each key's values in a table that is as small as the key allows. It hands out numbers in the order
// in which the chain was filled, which accesses memory sequentially. A chain of a few ten thousand mentions
// fits in the cache. The alternative, sorting all mentions by key at once, took as long for two million
// mentions and a quarter longer for ten million, because every step touches another page.
//
// Invariant: the values of a key get consecutive numbers in the order of their first mentions, and smaller
// keys get smaller numbers. Cost: linear in mentions and keys. A mention takes 16 bytes, and 8 more while its
// chain is sorted.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/column.h"
#include "history/history.h"

namespace assay {

class ValueNumbers {
 public:
  // Requests that number() write the number of this value to places[place].
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

  // Writes the requested numbers, and returns the key and value of each number.
  Column<KeyValue> number(std::span<std::uint32_t> places) &&;

 private:
  static constexpr std::size_t kKeys = 512;   // keys per chain
  static constexpr std::size_t kBlock = 256;  // mentions per block
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Mention {
    std::uint64_t bits;  // of the value; once numbered, the number
    std::uint32_t place;
    std::uint16_t key;  // relative to the first key of the chain
    ScalarKind kind;
  };
  struct Chain {
    std::uint32_t first = kNone;
    std::size_t last = 0;
    std::size_t used = kBlock;  // mentions in the last block; the other blocks are full
  };
  // The mentions of a chain, sorted by key.
  struct Sorted {
    std::vector<Mention*> mentions;
    std::array<std::size_t, kKeys + 1> end;  // by key
  };

  void lengthen(Chain& chain);
  template <class Visit>
  void for_each(const Chain& chain, Visit visit);
  void sort(const Chain& chain, Sorted& into);

  Column<Mention> mentions_;         // block after block
  std::vector<std::uint32_t> next_;  // by block: the next one of its chain
  std::vector<Chain> chains_;
};

}  // namespace assay

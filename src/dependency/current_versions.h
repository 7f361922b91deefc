// Tracks the current version of each key while transactions run in a given order, and collects the broken
// keys.
//
// A transaction reads at its snapshot and writes at its commit. Exclusive writers hold a lock on their keys
// in between. A key is broken if a read of it returns another version than in the history, or if two
// transactions hold its lock at once: the order does not explain it. O(operations) in total.
#pragma once

#include <vector>

#include "dependency/guess.h"

namespace assay {

class CurrentVersions {
 public:
  CurrentVersions(const History& history, const ReadFacts& facts, const PointRules& rules);

  VersionId of(KeyId key) const { return keys_[key.index()].current; }
  TxnId locked_by(KeyId key) const { return keys_[key.index()].locked_by; }
  // Whether the conditional write takes place. With two points, the transaction's snapshot has decided that;
  // with one point, the current version of the key decides it.
  bool takes_place(const ConditionalWrite& write) const {
    return rules_.two_points ? takes_place_[facts_.place(write)]
                             : facts_.takes_place(h_, write, of(write.key));
  }

  void snapshot(TxnId t);  // the transaction reads, and takes locks
  void commit(TxnId t);    // the transaction writes, and releases its locks

  // The transaction's open reads and conditional writes. Cheap if the history has none.
  std::span<const OpenRead> open_of(TxnId t) const {
    return facts_.open.empty() ? std::span<const OpenRead>() : facts_.open_of(t);
  }
  std::span<const ConditionalWrite> conditional_by(TxnId t) const {
    return facts_.conditional.empty() ? std::span<const ConditionalWrite>() : facts_.conditional_by(t);
  }
  void fetch(KeyId key) const { __builtin_prefetch(&keys_[key.index()]); }

  Guess take(std::vector<std::uint32_t> order) && {
    guess_.order = std::move(order);
    return std::move(guess_);
  }

 private:
  struct PerKey {
    VersionId current;
    TxnId locked_by;
  };
  struct BrokenRead {
    TxnId shown, writer;
    bool is_new;  // its key is not listed as broken yet
    KeyId key;
    friend auto operator<=>(const BrokenRead&, const BrokenRead&) = default;
  };

  void decide_conditional_writes(TxnId t);
  void lock(KeyId key, TxnId t);
  void unlock(PerKey& key, TxnId t) {
    if (key.locked_by == t) key.locked_by = TxnId::none();
  }
  void add_broken(KeyId key);
  void add_broken_reads();

  const History& h_;
  const ReadFacts& facts_;
  const PointRules& rules_;
  std::vector<PerKey> keys_;
  std::vector<bool> takes_place_;         // by conditional write: as its snapshot decided
  std::vector<std::uint8_t> is_named_;    // by key: listed in guess_.broken
  std::vector<BrokenRead> broken_reads_;  // of the current transaction
  Guess guess_;
};

}  // namespace assay

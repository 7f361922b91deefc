// The keys to check completely, in this pass over the execution or in the next one.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "history/ids.h"

namespace assay {

class DirtyKeys {
 public:
  // `keys` are the keys of the first pass, without duplicates.
  DirtyKeys(std::vector<KeyId> keys, std::size_t key_count) : keys_(std::move(keys)), is_dirty_(key_count) {
    mark();
  }

  void add(KeyId key) {
    if (!is_dirty_[key.index()]) keys_.push_back(key);
    is_dirty_[key.index()] = true;
  }
  bool contains(KeyId key) const { return is_dirty_[key.index()]; }
  // In the order in which they were added.
  std::span<const KeyId> keys() const { return keys_; }

  // Requests a check in the next pass too. A constraint of the key was violated, and choosing the writer of a
  // read need not move any transaction, so the next pass might not visit the key by itself.
  void check_again(KeyId key) { again_.push_back(key); }
  // Switches to the keys of the next pass, in the order of their numbers.
  void next_pass() {
    for (const KeyId key : keys_) is_dirty_[key.index()] = false;
    keys_.swap(again_);
    again_.clear();
    std::ranges::sort(keys_);
    const auto twice = std::ranges::unique(keys_);
    keys_.erase(twice.begin(), twice.end());
    mark();
  }

 private:
  void mark() {
    for (const KeyId key : keys_) is_dirty_[key.index()] = true;
  }

  std::vector<KeyId> keys_, again_;
  std::vector<bool> is_dirty_;  // by key
};

}  // namespace assay

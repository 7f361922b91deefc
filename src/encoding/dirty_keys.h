// The keys that are to be checked as a whole, in this pass over the execution or in the next one.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "history/ids.h"

namespace assay {

class DirtyKeys {
 public:
  // `keys` are those of the first pass, each once.
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

  // Something was broken here. A choice about whom a read is from need not move anything, so the next pass
  // would not come by on its own.
  void check_again(KeyId key) { again_.push_back(key); }
  // Those of the next pass, by number.
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

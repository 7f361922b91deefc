// A hash index into an array that somebody else owns: the table stores only indices.
//
// A slot is 8 bytes: the upper half of the hash, called the tag, beside a 32-bit index. So a probe that
// misses rarely touches the array, and growing never does. At most three quarters of the slots are full. The
// limit is 2^32 - 1 entries, as for Id.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/contract.h"

namespace assay {

class FlatIndex {
 public:
  // Returns the index of the element with this hash for which equal(index) holds. If there is none, stores
  // `next` under the hash and returns it.
  template <class Equal>
  std::uint32_t find_or_insert(std::uint64_t hash, std::uint32_t next, Equal equal) {
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    const std::uint64_t tag = hash & kTagMask;
    for (std::size_t i = position(hash);; i = (i + 1) & (slots_.size() - 1)) {
      const std::uint64_t slot = slots_[i];
      if (slot == kEmpty) {
        ASSAY_ASSERT(next != UINT32_MAX);
        slots_[i] = tag | next;
        ++size_;
        return next;
      }
      const auto index = static_cast<std::uint32_t>(slot);
      if ((slot & kTagMask) == tag && equal(index)) return index;
    }
  }

  // Returns the stored index, or UINT32_MAX if there is none.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (slots_.empty()) return UINT32_MAX;
    const std::uint64_t tag = hash & kTagMask;
    for (std::size_t i = position(hash);; i = (i + 1) & (slots_.size() - 1)) {
      const std::uint64_t slot = slots_[i];
      if (slot == kEmpty) return UINT32_MAX;
      const auto index = static_cast<std::uint32_t>(slot);
      if ((slot & kTagMask) == tag && equal(index)) return index;
    }
  }

  // The first slot of a hash: fetch() prefetches it; peek() reads its index, which may belong to another
  // element, or UINT32_MAX.
  void fetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[position(hash)]);
  }
  std::uint32_t peek(std::uint64_t hash) const {
    return slots_.empty() ? UINT32_MAX : static_cast<std::uint32_t>(slots_[position(hash)]);
  }

  std::size_t size() const { return size_; }

  // Removes all entries and makes room for n.
  void clear(std::size_t n) {
    slots_.assign(std::bit_ceil(2 * n), kEmpty);
    size_ = 0;
  }

 private:
  static constexpr std::uint64_t kEmpty = UINT64_MAX;  // an index is never UINT32_MAX
  static constexpr std::uint64_t kTagMask = 0xffffffff00000000u;

  // Uses only the tag, so that growing needs nothing but the slots.
  std::size_t position(std::uint64_t hash) const { return (hash >> 32) & (slots_.size() - 1); }

  void grow() {
    std::vector<std::uint64_t> old(slots_.empty() ? 16 : slots_.size() * 2, kEmpty);
    old.swap(slots_);
    for (const std::uint64_t slot : old) {
      if (slot == kEmpty) continue;
      std::size_t i = position(slot);
      while (slots_[i] != kEmpty) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<std::uint64_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace assay

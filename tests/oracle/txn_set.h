// A set of transactions of a tiny history, small enough to be copied at every step of a search.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace assay::oracle {

using Txn = std::size_t;  // index in Model::transactions

struct TxnSet {
  std::uint32_t bits = 0;

  static constexpr std::size_t kCapacity = 32;
  static constexpr TxnSet of(Txn t) { return {std::uint32_t{1} << t}; }

  constexpr bool contains(Txn t) const { return (bits >> t & 1) != 0; }
  constexpr bool includes(TxnSet other) const { return (other.bits & ~bits) == 0; }
  constexpr bool empty() const { return bits == 0; }

  friend constexpr TxnSet operator|(TxnSet a, TxnSet b) { return {a.bits | b.bits}; }
  friend constexpr TxnSet operator&(TxnSet a, TxnSet b) { return {a.bits & b.bits}; }
  friend constexpr TxnSet operator-(TxnSet a, TxnSet b) { return {a.bits & ~b.bits}; }
  constexpr TxnSet& operator|=(TxnSet other) { return *this = *this | other; }
  friend constexpr bool operator==(TxnSet, TxnSet) = default;

  struct iterator {
    using value_type = Txn;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = const Txn*;
    using reference = Txn;

    std::uint32_t rest = 0;
    constexpr Txn operator*() const { return static_cast<Txn>(std::countr_zero(rest)); }
    constexpr iterator& operator++() {
      rest &= rest - 1;
      return *this;
    }
    constexpr iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    friend constexpr bool operator==(iterator, iterator) = default;
  };
  constexpr iterator begin() const { return {bits}; }
  constexpr iterator end() const { return {0}; }
};

}  // namespace assay::oracle

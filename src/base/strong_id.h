// Typed indices: one integer type for each kind of thing.
//
// Transactions, keys, operations and the like live in flat arrays and are named by their index. Id gives each
// kind a type of its own at the cost of a plain 32-bit number, so that they cannot be mixed up. `Id::none()`
// is the one value that is not an index.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>

namespace assay {

template <class Tag>
struct Id {
  std::uint32_t value = UINT32_MAX;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}

  static constexpr Id none() { return Id(); }
  constexpr bool is_none() const { return value == UINT32_MAX; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A half-open range of consecutive ids, for range-for.
template <class I>
struct IdRange {
  I first, last;

  struct iterator {
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using reference = I;
    using pointer = void;

    I id;
    I operator*() const { return id; }
    iterator& operator++() {
      id = I(id.index() + 1);
      return *this;
    }
    iterator operator++(int) { return std::exchange(*this, iterator{I(id.index() + 1)}); }
    friend bool operator==(iterator, iterator) = default;
  };
  iterator begin() const { return {first}; }
  iterator end() const { return {last}; }
  std::size_t size() const { return last.index() - first.index(); }
  bool empty() const { return first == last; }
  I operator[](std::size_t i) const { return I(first.index() + i); }
};

}  // namespace assay

template <class Tag>
struct std::hash<assay::Id<Tag>> {
  std::size_t operator()(assay::Id<Tag> id) const noexcept { return id.index(); }
};

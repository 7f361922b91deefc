// Dense numbers that cannot be mixed up.
//
// Everything in Assay is an index into a flat array: transactions, keys, operations. Id gives each
// its own type at the cost of a plain 32-bit number. `Id::none()` is the one value that never
// indexes anything.
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

// Half-open run of consecutive ids, for range-for over flat arrays.
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

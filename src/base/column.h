// A growable array of trivial values that does not copy them when it grows.
//
// The first touch of a page costs more than filling it. A std::vector that doubles its capacity touches twice
// the pages that it ends up with, and shrinking it touches them once more. This array grows and shrinks with
// realloc(), which moves large arrays by remapping their pages. Capacity that was never written costs only
// address space. The *_for_overwrite functions leave new elements uninitialized.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/contract.h"

namespace assay {

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Column() = default;
  Column(const Column& other) { *this = other; }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(const Column& other) {
    if (this == &other) return *this;
    resize_for_overwrite(other.size_);
    if (size_ > 0) std::memcpy(data_, other.data_, size_ * sizeof(T));
    return *this;
  }
  Column& operator=(Column&& other) noexcept {
    Column(std::move(other)).swap(*this);
    return *this;
  }
  ~Column() { std::free(data_); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& back() const { return data_[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = value;
  }
  // Constructs the element in place, member by member: copying a struct with padding at its end takes
  // overlapping moves, which stall the processor.
  template <class... Members>
  void emplace_back(Members... members) {
    if (size_ == capacity_) grow(size_ + 1);
    ::new (static_cast<void*>(data_ + size_++)) T{members...};
  }
  // Appends n uninitialized elements, which the caller fills.
  T* append_for_overwrite(std::size_t n) {
    if (n > capacity_ - size_) grow(size_ + n);
    return data_ + std::exchange(size_, size_ + n);
  }
  void resize_for_overwrite(std::size_t n) {
    if (n > capacity_) reallocate(n);
    size_ = n;
  }
  void truncate(std::size_t n) {
    ASSAY_ASSERT(n <= size_);
    size_ = n;
  }
  void shrink_to_fit() {
    if (size_ < capacity_) reallocate(size_);
  }

 private:
  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  [[gnu::noinline]] void grow(std::size_t needed) {
    reallocate(needed < 2 * capacity_ ? 2 * capacity_ : needed + 7);
  }
  void reallocate(std::size_t capacity) {
    if (capacity == 0) {  // whether realloc() frees then is up to the implementation
      Column().swap(*this);
      return;
    }
    if (capacity > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    void* moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace assay

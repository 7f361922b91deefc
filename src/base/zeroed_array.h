// A large array of zeros that is not written when it is made.
//
// std::vector writes every element at once. Here the system supplies zeroed pages when they are first
// touched. So construction takes no time, and the code that fills the array can poll its budget meanwhile.
// Large arrays ask for huge pages: touching a page for the first time costs about as much for 2 MB as for 4
// kB.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace assay {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivial_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : elements_(size == 0 ? nullptr : static_cast<T*>(std::calloc(size, sizeof(T)))) {
    if (size > 0 && elements_ == nullptr) throw std::bad_alloc();
    ask_for_huge_pages(size * sizeof(T));
  }

  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }

 private:
  // The system may refuse; then the pages are small.
  void ask_for_huge_pages(std::size_t bytes) {
    constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(data()) + kPage - 1) / kPage * kPage;
    const auto end = (reinterpret_cast<std::uintptr_t>(data()) + bytes) / kPage * kPage;
    if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }

  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };
  std::unique_ptr<T[], Free> elements_;
};

}  // namespace assay

// A large array of zeros that is not written when it is made.
//
// std::vector writes every element at once. Here the system supplies zeroed pages when they are first
// touched. So construction takes no time, and the code that fills the array can poll its budget meanwhile.
#pragma once

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
  }

  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }

 private:
  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };
  std::unique_ptr<T[], Free> elements_;
};

}  // namespace assay

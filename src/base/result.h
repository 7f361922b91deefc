// A value, or an error that tells the user where the problem is, what it is, and what to do about it.
//
// g++ 12 has no std::expected. Result uses its member names, so that it can be replaced later.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/contract.h"

namespace assay {

struct Error {
  std::string what;        // what is wrong, in the words of the input
  std::string remedy;      // what to do about it; may be empty
  std::string file;        // empty until a caller fills it in
  std::string place;       // "12" (line) or "byte 96"; empty when the error concerns the whole file
  bool is_limit = false;   // a limit of time or memory was reached, or the user interrupted
  bool is_defect = false;  // the input is not to blame: Assay has a bug

  // `FILE:PLACE: what (remedy)`, without the parts that are empty.
  std::string describe() const;
};

inline Error error(std::string what, std::string remedy = {}) {
  return Error{std::move(what), std::move(remedy), {}, {}};
}

inline Error limit_reached(std::string why) {
  Error problem = error(std::move(why));
  problem.is_limit = true;
  return problem;
}

// An Error is rare and large, so it lives behind a pointer: a Result costs its value and one word.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  bool has_value() const { return error_ == nullptr; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return checked(), *value_; }
  const T& value() const& { return checked(), *value_; }
  T&& value() && { return checked(), *std::move(value_); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  void checked() const { ASSAY_REQUIRE(has_value()); }
  std::optional<T> value_;
  std::unique_ptr<Error> error_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  bool has_value() const { return error_ == nullptr; }
  explicit operator bool() const { return has_value(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::unique_ptr<Error> error_;
};

}  // namespace assay

// Returns the error of `expression` from the enclosing function, if there is one.
#define ASSAY_TRY(expression)                                                                                \
  do {                                                                                                       \
    if (auto assay_try_result = (expression); !assay_try_result) return std::move(assay_try_result).error(); \
  } while (false)

// Writes a history to a file or to standard output, compressed if its name says so.
//
// The bytes go to a temporary file in the same directory, which close() renames. So a failure half-way leaves
// an existing file untouched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "base/result.h"

namespace assay {

class ByteSink {
 public:
  // "-" is standard output; .gz and .zst compress. Writing fails once the budget is spent.
  static Result<ByteSink> create(const std::string& path, Budget* budget = nullptr);
  static ByteSink to_memory(std::string& bytes);  // `bytes` must outlive the sink

  ByteSink(ByteSink&&) noexcept;
  ByteSink& operator=(ByteSink&&) noexcept;
  ~ByteSink();  // without close(), no file appears under the final name

  void write(std::string_view bytes);
  Result<void> close();  // reports the first failure of any write

  class Stream;

 private:
  explicit ByteSink(std::unique_ptr<Stream> stream);
  void flush();

  std::unique_ptr<Stream> stream_;
  std::string buffer_;
};

}  // namespace assay

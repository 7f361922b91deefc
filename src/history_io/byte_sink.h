// Where a written history goes: a file or standard output, compressed when its name says so.
//
// A file is written beside its final name and renamed by close(), so a failure half-way leaves
// whatever was there before untouched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "base/result.h"

namespace assay {

class ByteSink {
 public:
  // "-": standard output; .gz, .zst compress. Writing ends with an error once the budget is spent.
  static Result<ByteSink> create(const std::string& path, Budget* budget = nullptr);
  static ByteSink to_memory(std::string& bytes);  // `bytes` must outlive the sink

  ByteSink(ByteSink&&) noexcept;
  ByteSink& operator=(ByteSink&&) noexcept;
  ~ByteSink();  // without close(): nothing appears under the final name

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

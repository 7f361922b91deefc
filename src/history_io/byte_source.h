// Reads the bytes of a history from a file, standard input or memory, and decompresses them.
//
// It offers a window of the stream: the reader looks at window(), calls consume() for what it has understood,
// and refill() for more. It recognises gzip and zstd by their first bytes. Memory is the size of the window,
// not of the text. The window grows only if a reader cannot consume any of it (one long line), and never
// beyond kLargestWindow.
//
// Reading may have a budget. The source polls it about every megabyte of text, before the window grows,
// before it returns a long line, and while it waits for a pipe. Once the budget is spent, the stream ends
// with a failure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/result.h"

namespace assay {

class ByteSource {
 public:
  static constexpr std::size_t kPadding = 64;  // readable bytes after the window; simdjson needs them
  static constexpr std::size_t kLargestWindow = std::size_t{1} << 30;

  static Result<ByteSource> open(const std::string& path, Budget* budget = nullptr);  // "-" is standard input
  static ByteSource from_memory(std::string name, std::string bytes);
  // Reads bytes in place; they must outlive the source.
  static ByteSource from_view(std::string name, std::string_view bytes, Budget* budget = nullptr);
  // Calls `next` for each line, with its line end, until it returns false.
  static ByteSource from_lines(std::string name, std::function<bool(std::string& line)> next,
                               Budget* budget = nullptr);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  // The bytes that have been read but not consumed. Valid until the next refill().
  std::string_view window() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t n) {
    ASSAY_ASSERT(n <= end_ - begin_);
    begin_ += n;
    offset_ += n;
  }
  // Reads more bytes into the window. Returns false at the end of the stream, and after a failure.
  bool refill();
  // Makes the window at least n bytes long. Returns false if the stream ends first.
  bool need(std::size_t n);
  // Consumes the next line and returns it without its end ("\n" or "\r\n"), which the last line may lack.
  // False at the end of the stream. The line is valid until the next call.
  bool next_line(std::string_view& line);

  const std::string& name() const { return name_; }
  std::uint64_t offset() const { return offset_; }  // of the window's first byte in the decompressed text
  std::uint64_t line() const { return line_; }      // number of the last line from next_line(), from 1

  // Why reading stopped early: an I/O error, damaged compression, a line that is too long, the budget.
  const std::optional<Error>& failure() const { return failure_; }

  // Errors with this source's name and a position in it.
  Error at_line(std::string what, std::string remedy = {}) const;
  Error at_byte(std::uint64_t offset, std::string what, std::string remedy = {}) const;
  // For readers that reach the end of the stream too early: the failure, if there was one, or else an error
  // that the file is cut off in `what`.
  Error cut_off(std::string_view what) const;

  class Stream;  // the origin of the bytes: reads up to n of them, 0 at the end

 private:
  ByteSource(std::string name, std::unique_ptr<Stream> stream, Budget* budget = nullptr);
  Result<void> unwrap_compression();
  bool is_allowed(std::size_t bytes);  // false: the budget is spent, and the stream ends
  void fail(Error problem);

  std::string name_;
  std::unique_ptr<Stream> stream_;
  Budget* budget_ = nullptr;
  std::uint64_t next_question_ = 0;  // the offset at which to poll the budget again
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t offset_ = 0, line_ = 0;
  bool at_end_ = false;
  std::optional<Error> failure_;
};

}  // namespace assay

// Bytes of a history, wherever they come from, decompressed on the way.
//
// A window onto the stream: look at window(), consume() what was understood, refill() for more.
// Files, standard input and memory look the same; gzip and zstd are recognised by their first bytes.
// Memory is the window, not the text: it grows only when a reader refuses to consume (one long line),
// and never beyond kLargestWindow.
//
// Reading may have a budget. It is polled about every megabyte of text, before the window grows, before a
// long line is handed out, and while a pipe has nothing to give. Once it is spent, the stream ends with a
// failure.
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
  static constexpr std::size_t kPadding = 64;  // readable bytes after the window (simdjson wants them)
  static constexpr std::size_t kLargestWindow = std::size_t{1} << 30;

  static Result<ByteSource> open(const std::string& path, Budget* budget = nullptr);  // "-" is standard input
  static ByteSource from_memory(std::string name, std::string bytes);
  // Bytes that outlive the source.
  static ByteSource from_view(std::string name, std::string_view bytes, Budget* budget = nullptr);
  // Lines with their ends, as long as `next` gives them.
  static ByteSource from_lines(std::string name, std::function<bool(std::string& line)> next,
                               Budget* budget = nullptr);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  // What has been read and not yet consumed. Valid until the next refill().
  std::string_view window() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t n) {
    ASSAY_ASSERT(n <= end_ - begin_);
    begin_ += n;
    offset_ += n;
  }
  // Reads more behind the window. False at the end of the stream, and after a failure.
  bool refill();
  // Makes the window at least n bytes long; false when the stream ends first.
  bool need(std::size_t n);
  // The next line without its end ("\n" or "\r\n"); the last one may lack it. Consumes it.
  // False at the end of the stream. The line is valid until the next call.
  bool next_line(std::string_view& line);

  const std::string& name() const { return name_; }
  std::uint64_t offset() const { return offset_; }  // of the window's first byte, after decompression
  std::uint64_t line() const { return line_; }      // of the last line next_line() gave, from 1

  // Why reading stopped early: an I/O error, damaged compression, a line that is too long, the budget.
  const std::optional<Error>& failure() const { return failure_; }

  // Errors that point here.
  Error at_line(std::string what, std::string remedy = {}) const;
  Error at_byte(std::uint64_t offset, std::string what, std::string remedy = {}) const;
  // For readers that reached the end of the stream in the middle of something: the failure if
  // there was one, else that the file is cut off while reading `what`.
  Error cut_off(std::string_view what) const;

  class Stream;  // where bytes come from: reads up to n, 0 at the end

 private:
  ByteSource(std::string name, std::unique_ptr<Stream> stream, Budget* budget = nullptr);
  Result<void> unwrap_compression();
  bool is_allowed(std::size_t bytes);  // false: the budget is spent, and the stream has ended
  void fail(Error problem);

  std::string name_;
  std::unique_ptr<Stream> stream_;
  Budget* budget_ = nullptr;
  std::uint64_t next_question_ = 0;  // the offset from which the budget is polled again
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t offset_ = 0, line_ = 0;
  bool at_end_ = false;
  std::optional<Error> failure_;
};

}  // namespace assay

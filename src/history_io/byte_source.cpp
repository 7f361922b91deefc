#include "history_io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace assay {

namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;
constexpr std::size_t kBetweenQuestions = std::size_t{1} << 20;  // bytes of text between two polls

// For a longer line, next_line() asks the budget for memory first: the line's operations are kept until it
// ends, and a JSON parser keeps four bytes for each byte of it.
constexpr std::size_t kLongLine = std::size_t{1} << 20;
constexpr std::size_t kTakenByLongLine = 6;  // bytes of memory for each byte of the line

constexpr int kPatience = 100;  // milliseconds to wait for a pipe before polling the budget again

}  // namespace

class ByteSource::Stream {
 public:
  virtual ~Stream() = default;
  // Reads up to n bytes; 0 at the end.
  virtual Result<std::size_t> read(char* into, std::size_t n) = 0;
  // How many bytes to ask for at once; not zero.
  virtual std::size_t chunk() const { return kReadAtOnce; }
};

namespace {

class FileStream final : public ByteSource::Stream {
 public:
  FileStream(int descriptor, Budget* budget) : descriptor_(descriptor), budget_(budget) {}
  ~FileStream() override {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }
  Result<std::size_t> read(char* into, std::size_t n) override {
    while (true) {
      if (budget_ != nullptr) ASSAY_TRY(wait());
      const ssize_t got = ::read(descriptor_, into, n);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return error(fmt::format("cannot read: {}", std::strerror(errno)));
    }
  }

 private:
  // Waits until there is something to read, or the budget is spent.
  Result<void> wait() {
    pollfd one{descriptor_, POLLIN, 0};
    while (true) {
      const int ready = ::poll(&one, 1, kPatience);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return {};
      if (budget_->is_spent()) return limit_reached(budget_->why());
    }
  }

  int descriptor_;
  Budget* budget_;
};

class LineStream final : public ByteSource::Stream {
 public:
  explicit LineStream(std::function<bool(std::string&)> next) : next_(std::move(next)) {}
  Result<std::size_t> read(char* into, std::size_t n) override {
    while (given_ == line_.size()) {
      given_ = 0;
      if (!next_(line_)) return std::size_t{0};
    }
    const std::size_t copied = line_.copy(into, n, given_);
    given_ += copied;
    return copied;
  }

 private:
  std::function<bool(std::string&)> next_;
  std::string line_;
  std::size_t given_ = 0;
};

class MemoryStream final : public ByteSource::Stream {
 public:
  explicit MemoryStream(std::string bytes) : own_(std::move(bytes)), bytes_(own_) {}
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read(char* into, std::size_t n) override {
    n = std::min(n, bytes_.size() - at_);
    std::memcpy(into, bytes_.data() + at_, n);
    at_ += n;
    return n;
  }
  // A fuzzer reads millions of small texts, and would spend its time on clearing a megabyte for each.
  std::size_t chunk() const override { return std::clamp<std::size_t>(bytes_.size(), 1, kReadAtOnce); }

 private:
  std::string own_;
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// The common part of the decompressors: reads compressed bytes from `inner_` through a buffer.
class DecompressingStream : public ByteSource::Stream {
 public:
  explicit DecompressingStream(std::unique_ptr<Stream> inner) : inner_(std::move(inner)), in_(kReadAtOnce) {}

 protected:
  // Makes in_begin_ < in_end_ unless the compressed stream has ended.
  Result<void> fill() {
    if (in_begin_ < in_end_) return {};
    auto got = inner_->read(in_.data(), in_.size());
    if (!got) return std::move(got).error();
    in_begin_ = 0;
    in_end_ = *got;
    return {};
  }

  std::unique_ptr<Stream> inner_;
  std::vector<char> in_;
  std::size_t in_begin_ = 0, in_end_ = 0;
};

class GzipStream final : public DecompressingStream {
 public:
  explicit GzipStream(std::unique_ptr<Stream> inner) : DecompressingStream(std::move(inner)) {
    ASSAY_REQUIRE(inflateInit2(&z_, 15 + 16) == Z_OK);
  }
  ~GzipStream() override { inflateEnd(&z_); }

  Result<std::size_t> read(char* into, std::size_t n) override {
    z_.next_out = reinterpret_cast<Bytef*>(into);
    z_.avail_out = static_cast<uInt>(std::min(n, kReadAtOnce));
    const uInt wanted = z_.avail_out;
    while (z_.avail_out == wanted) {
      ASSAY_TRY(fill());
      if (in_begin_ == in_end_) {
        if (inside_member_) return error("the gzip data is cut off", "get the whole file again");
        return std::size_t{0};
      }
      z_.next_in = reinterpret_cast<Bytef*>(in_.data() + in_begin_);
      z_.avail_in = static_cast<uInt>(in_end_ - in_begin_);
      inside_member_ = true;
      const int status = inflate(&z_, Z_NO_FLUSH);
      in_begin_ = in_end_ - z_.avail_in;
      if (status == Z_STREAM_END) {  // another member may follow
        inside_member_ = false;
        inflateReset(&z_);
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return error(fmt::format("the gzip data is damaged: {}", z_.msg ? z_.msg : "unknown reason"));
      }
    }
    return static_cast<std::size_t>(wanted - z_.avail_out);
  }

 private:
  z_stream z_{};
  bool inside_member_ = false;
};

class ZstdStream final : public DecompressingStream {
 public:
  explicit ZstdStream(std::unique_ptr<Stream> inner)
      : DecompressingStream(std::move(inner)), context_(ZSTD_createDStream()) {
    ASSAY_REQUIRE(context_ != nullptr);
  }
  ~ZstdStream() override { ZSTD_freeDStream(context_); }

  Result<std::size_t> read(char* into, std::size_t n) override {
    ZSTD_outBuffer out{into, n, 0};
    while (out.pos == 0) {
      ASSAY_TRY(fill());
      if (in_begin_ == in_end_) {
        if (inside_frame_) return error("the zstd data is cut off", "get the whole file again");
        return std::size_t{0};
      }
      ZSTD_inBuffer in{in_.data() + in_begin_, in_end_ - in_begin_, 0};
      const std::size_t left = ZSTD_decompressStream(context_, &out, &in);
      if (ZSTD_isError(left))
        return error(fmt::format("the zstd data is damaged: {}", ZSTD_getErrorName(left)));
      in_begin_ += in.pos;
      inside_frame_ = left != 0;
    }
    return out.pos;
  }

 private:
  ZSTD_DStream* context_;
  bool inside_frame_ = false;
};

// The bytes that were already read to detect the compression, then the rest.
class PushedBackStream final : public ByteSource::Stream {
 public:
  PushedBackStream(std::string head, std::unique_ptr<Stream> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}
  Result<std::size_t> read(char* into, std::size_t n) override {
    auto got = head_.read(into, n);
    if (*got > 0) return got;
    return rest_->read(into, n);
  }

 private:
  MemoryStream head_;
  std::unique_ptr<Stream> rest_;
};

}  // namespace

ByteSource::ByteSource(std::string name, std::unique_ptr<Stream> stream, Budget* budget)
    : name_(std::move(name)), stream_(std::move(stream)), budget_(budget), buffer_(kPadding) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

Result<ByteSource> ByteSource::open(const std::string& path, Budget* budget) {
  int descriptor = STDIN_FILENO;
  if (path != "-") {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
      Error problem = error(descriptor < 0 ? fmt::format("cannot open: {}", std::strerror(errno))
                                           : std::string("is a directory, not a history file"));
      if (descriptor >= 0) ::close(descriptor);
      problem.file = path;
      return problem;
    }
  }
  auto file = std::make_unique<FileStream>(descriptor, budget);
  ByteSource source(path == "-" ? "standard input" : path, std::move(file), budget);
  if (auto unwrapped = source.unwrap_compression(); !unwrapped) return std::move(unwrapped).error();
  return source;
}

ByteSource ByteSource::from_lines(std::string name, std::function<bool(std::string&)> next, Budget* budget) {
  return ByteSource(std::move(name), std::make_unique<LineStream>(std::move(next)), budget);
}

ByteSource ByteSource::from_memory(std::string name, std::string bytes) {
  ByteSource source(std::move(name), std::make_unique<MemoryStream>(std::move(bytes)));
  (void)source.unwrap_compression();
  return source;
}

ByteSource ByteSource::from_view(std::string name, std::string_view bytes, Budget* budget) {
  ByteSource source(std::move(name), std::make_unique<MemoryStream>(bytes), budget);
  (void)source.unwrap_compression();
  return source;
}

Result<void> ByteSource::unwrap_compression() {
  const bool enough = need(4);
  if (failure_) return *failure_;
  if (!enough) return {};
  const bool gzip = window().starts_with("\x1f\x8b");
  const bool zstd = window().starts_with("\x28\xb5\x2f\xfd");
  if (!gzip && !zstd) return {};
  auto compressed = std::make_unique<PushedBackStream>(std::string(window()), std::move(stream_));
  begin_ = end_ = 0;
  at_end_ = false;
  if (gzip) stream_ = std::make_unique<GzipStream>(std::move(compressed));
  else stream_ = std::make_unique<ZstdStream>(std::move(compressed));
  return {};
}

void ByteSource::fail(Error problem) {
  failure_ = std::move(problem);
  if (failure_->file.empty()) failure_->file = name_;
  at_end_ = true;
}

bool ByteSource::is_allowed(std::size_t bytes) {
  if (budget_ == nullptr) return true;
  next_question_ = offset_ + (end_ - begin_) + kBetweenQuestions;
  if (!budget_->is_spent(bytes)) return true;
  fail(limit_reached(budget_->why()));
  return false;
}

bool ByteSource::refill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ >= kLargestWindow) {
    fail(at_byte(offset_, "a line of more than a gigabyte"));
    return false;
  }
  const std::size_t room = std::max(stream_->chunk(), end_);  // doubles the window if a line does not fit
  const std::size_t size = end_ + room + kPadding;
  const bool grows = buffer_.size() < size;
  if ((grows || offset_ + end_ >= next_question_) && !is_allowed(grows ? size : 0)) return false;
  if (grows) buffer_.resize(size);
  auto got = stream_->read(buffer_.data() + end_, room);
  if (!got) {
    fail(std::move(got).error());
    return false;
  }
  end_ += *got;
  std::memset(buffer_.data() + end_, 0, kPadding);
  at_end_ = *got == 0;
  return !at_end_;
}

bool ByteSource::need(std::size_t n) {
  while (window().size() < n)
    if (!refill()) return false;
  return true;
}

bool ByteSource::next_line(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const std::string_view rest = window();
    const std::size_t newline = rest.find('\n', searched);
    const std::size_t length = std::min(newline, rest.size());
    const bool ends = newline != std::string_view::npos || (at_end_ && !rest.empty());
    if (ends && length > kLongLine && !is_allowed(kTakenByLongLine * length)) return false;
    if (newline != std::string_view::npos) {
      line = rest.substr(0, newline);
      consume(newline + 1);
      break;
    }
    searched = rest.size();
    if (refill()) continue;
    if (failure_ || window().empty()) return false;
    line = window();
    consume(line.size());
    break;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_;
  return true;
}

Error ByteSource::at_line(std::string what, std::string remedy) const {
  return {std::move(what), std::move(remedy), name_, std::to_string(line_)};
}

Error ByteSource::at_byte(std::uint64_t offset, std::string what, std::string remedy) const {
  return {std::move(what), std::move(remedy), name_, fmt::format("byte {}", offset)};
}

Error ByteSource::cut_off(std::string_view what) const {
  if (failure_) return *failure_;
  return at_byte(offset_ + window().size(), fmt::format("the file ends inside {}", what),
                 "it is cut off; get the whole file again");
}

}  // namespace assay

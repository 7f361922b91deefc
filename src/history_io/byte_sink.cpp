#include "history_io/byte_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace assay {

class ByteSink::Stream {
 public:
  virtual ~Stream() = default;
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual Result<void> close() = 0;
};

namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 18;

class MemorySink final : public ByteSink::Stream {
 public:
  explicit MemorySink(std::string& bytes) : bytes_(bytes) {}
  Result<void> write(std::string_view bytes) override {
    bytes_ += bytes;
    return {};
  }
  Result<void> close() override { return {}; }

 private:
  std::string& bytes_;
};

class FileSink final : public ByteSink::Stream {
 public:
  FileSink(int descriptor, std::string temporary, std::string final_name)
      : descriptor_(descriptor), temporary_(std::move(temporary)), final_name_(std::move(final_name)) {}
  ~FileSink() override {
    if (final_name_.empty()) return;
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  Result<void> write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t wrote = ::write(descriptor_, bytes.data(), bytes.size());
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) return failed("cannot write");
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return {};
  }

  Result<void> close() override {
    if (final_name_.empty()) return {};
    const int status = ::close(descriptor_);
    descriptor_ = -1;
    if (status != 0) return failed("cannot write");
    if (!temporary_.empty() && std::rename(temporary_.c_str(), final_name_.c_str()) != 0)
      return failed("cannot rename the finished file");
    temporary_.clear();
    return {};
  }

 private:
  Error failed(std::string_view what) const {
    Error problem = error(fmt::format("{}: {}", what, std::strerror(errno)));
    problem.file = final_name_.empty() ? "standard output" : final_name_;
    return problem;
  }

  int descriptor_;
  std::string temporary_;   // empty: written in place (devices, pipes)
  std::string final_name_;  // empty: standard output
};

class GzipSink final : public ByteSink::Stream {
 public:
  explicit GzipSink(std::unique_ptr<Stream> inner) : inner_(std::move(inner)), out_(kWrittenAtOnce) {
    ASSAY_REQUIRE(deflateInit2(&z_, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipSink() override { deflateEnd(&z_); }
  Result<void> write(std::string_view bytes) override { return push(bytes, Z_NO_FLUSH); }
  Result<void> close() override {
    ASSAY_TRY(push({}, Z_FINISH));
    return inner_->close();
  }

 private:
  Result<void> push(std::string_view bytes, int flush) {
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z_.avail_in = static_cast<uInt>(bytes.size());
    do {
      z_.next_out = reinterpret_cast<Bytef*>(out_.data());
      z_.avail_out = static_cast<uInt>(out_.size());
      deflate(&z_, flush);
      ASSAY_TRY(inner_->write({out_.data(), out_.size() - z_.avail_out}));
    } while (z_.avail_out == 0);
    return {};
  }

  std::unique_ptr<Stream> inner_;
  std::vector<char> out_;
  z_stream z_{};
};

class ZstdSink final : public ByteSink::Stream {
 public:
  explicit ZstdSink(std::unique_ptr<Stream> inner)
      : inner_(std::move(inner)), out_(ZSTD_CStreamOutSize()), context_(ZSTD_createCCtx()) {
    ASSAY_REQUIRE(context_ != nullptr);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdSink() override { ZSTD_freeCCtx(context_); }
  Result<void> write(std::string_view bytes) override { return push(bytes, ZSTD_e_continue); }
  Result<void> close() override {
    ASSAY_TRY(push({}, ZSTD_e_end));
    return inner_->close();
  }

 private:
  Result<void> push(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool done = false;
    while (!done) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_, &out, &in, directive);
      if (ZSTD_isError(left)) return error(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
      ASSAY_TRY(inner_->write({out_.data(), out.pos}));
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
    return {};
  }

  std::unique_ptr<Stream> inner_;
  std::vector<char> out_;
  ZSTD_CCtx* context_;
};

// Keeps the first failure, including a spent budget, so that writers need not check after every line.
class FirstFailure final : public ByteSink::Stream {
 public:
  FirstFailure(std::unique_ptr<Stream> inner, Budget* budget) : inner_(std::move(inner)), budget_(budget) {}
  Result<void> write(std::string_view bytes) override {
    if (first_ && budget_ != nullptr && budget_->is_spent()) first_ = limit_reached(budget_->why());
    if (first_) first_ = inner_->write(bytes);
    return {};
  }
  Result<void> close() override {
    ASSAY_TRY(std::move(first_));
    return inner_->close();
  }

 private:
  std::unique_ptr<Stream> inner_;
  Budget* budget_;
  Result<void> first_;
};

}  // namespace

ByteSink::ByteSink(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
ByteSink::ByteSink(ByteSink&&) noexcept = default;
ByteSink& ByteSink::operator=(ByteSink&&) noexcept = default;
ByteSink::~ByteSink() = default;

Result<ByteSink> ByteSink::create(const std::string& path, Budget* budget) {
  std::unique_ptr<Stream> stream;
  if (path == "-") {
    stream = std::make_unique<FileSink>(STDOUT_FILENO, "", "");
  } else {
    // Write a device or pipe (/dev/null) in place: a file must not be renamed over it.
    struct stat status {};
    const bool in_place = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    const std::string temporary = in_place ? "" : path + ".part";
    const int descriptor = in_place
                               ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC)
                               : ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      Error problem = error(fmt::format("cannot write: {}", std::strerror(errno)));
      problem.file = path;
      return problem;
    }
    stream = std::make_unique<FileSink>(descriptor, temporary, path);
  }
  if (path.ends_with(".gz")) stream = std::make_unique<GzipSink>(std::move(stream));
  else if (path.ends_with(".zst")) stream = std::make_unique<ZstdSink>(std::move(stream));
  return ByteSink(std::make_unique<FirstFailure>(std::move(stream), budget));
}

ByteSink ByteSink::to_memory(std::string& bytes) { return ByteSink(std::make_unique<MemorySink>(bytes)); }

void ByteSink::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kWrittenAtOnce) flush();
}

void ByteSink::flush() {
  (void)stream_->write(buffer_);
  buffer_.clear();
}

Result<void> ByteSink::close() {
  flush();
  return stream_->close();
}

}  // namespace assay

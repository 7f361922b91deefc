#include "collect/journal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace assay {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 20;

}  // namespace

Result<JournalFile> JournalFile::create(const std::string& path) {
  JournalFile file(path, ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (file.descriptor_ < 0) return file.failed("cannot create the journal", errno);
  ASSAY_TRY(file.move_window());
  return file;
}

JournalFile& JournalFile::operator=(JournalFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(window_, other.window_);
  std::swap(begin_, other.begin_);
  std::swap(used_, other.used_);
  return *this;
}

JournalFile::~JournalFile() { (void)close(); }

Result<void> JournalFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (used_ == kWindow) ASSAY_TRY(move_window());
    const std::size_t copied = std::min(bytes.size(), kWindow - used_);
    std::memcpy(window_ + used_, bytes.data(), copied);
    used_ += copied;
    bytes.remove_prefix(copied);
  }
  return {};
}

Result<void> JournalFile::move_window() {
  const std::size_t next = begin_ + used_;
  unmap();
  if (const int code = posix_fallocate(descriptor_, static_cast<off_t>(next), kWindow))
    return failed("no room for the journal", code);
  void* mapped =
      mmap(nullptr, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(next));
  if (mapped == MAP_FAILED) return failed("cannot map the journal", errno);
  window_ = static_cast<char*>(mapped);
  begin_ = next;
  used_ = 0;
  return {};
}

void JournalFile::unmap() {
  if (window_ != nullptr) munmap(window_, kWindow);
  window_ = nullptr;
}

Result<void> JournalFile::close() {
  if (descriptor_ < 0) return {};
  unmap();
  const int cut = ftruncate(descriptor_, static_cast<off_t>(begin_ + used_)), code = errno;
  ::close(std::exchange(descriptor_, -1));
  if (cut != 0) return failed("cannot finish the journal", code);
  return {};
}

Error JournalFile::failed(std::string_view what, int code) const {
  Error problem = error(fmt::format("{}: {}", what, std::strerror(code)));
  problem.file = path_;
  return problem;
}

}  // namespace assay

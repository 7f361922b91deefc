// A file that holds every byte from the moment append() returns, even if the process is killed then.
//
// The file is written through a shared mapping: the bytes are in the kernel's hands once they are copied, and
// copying costs a tenth of what a write() costs. The mapping is a window that moves along the file; its place
// on the disk is reserved first, so a full disk is an error and not a signal. A killed process leaves zeros
// behind the last byte; close() cuts them off.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace assay {

class JournalFile {
 public:
  static Result<JournalFile> create(const std::string& path);

  JournalFile(JournalFile&& other) noexcept { *this = std::move(other); }
  JournalFile& operator=(JournalFile&& other) noexcept;
  ~JournalFile();

  Result<void> append(std::string_view bytes);
  Result<void> close();

 private:
  JournalFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  Result<void> move_window();
  void unmap();
  Error failed(std::string_view what, int code) const;

  std::string path_;
  int descriptor_ = -1;
  char* window_ = nullptr;
  std::size_t begin_ = 0;  // of the window in the file
  std::size_t used_ = 0;   // bytes of the window
};

}  // namespace assay

// A directory that goes away, with all that is in it, when its owner does.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "base/result.h"

namespace assay {

class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> create() {
    std::error_code problem;
    std::string path = std::filesystem::temp_directory_path(problem) / "assay-run-XXXXXX";
    if (problem || mkdtemp(path.data()) == nullptr)
      return error("no temporary directory can be made: " + path,
                   "set TMPDIR to a directory that can be written");
    return TemporaryDirectory(std::move(path));
  }
  TemporaryDirectory(TemporaryDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  void release() { path_.clear(); }  // somebody else removes it

 private:
  explicit TemporaryDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace assay

// Running the real binary the way a user does: its own empty directory, its exit code, what it printed where.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/paths.h"

namespace assay::test {

class Command : public testing::Test {
 protected:
  Command() {
    std::string name = std::filesystem::temp_directory_path() / "assay-e2e-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~Command() override { std::filesystem::remove_all(directory_); }

  std::string file(const std::string& name) const { return directory_ / name; }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  // The exit code; what the command printed is left in out_ and err_. 128 and more: it died.
  int assay(const std::string& arguments) {
    const std::string command =
        assay_binary() + " " + arguments + " >" + file("stdout") + " 2>" + file("stderr");
    const int status = std::system(command.c_str());
    out_ = content(file("stdout"));
    err_ = content(file("stderr"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::filesystem::path directory_;
  std::string out_, err_;
};

}  // namespace assay::test

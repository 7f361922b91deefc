// Runs Graphviz's `dot`; no other file of this folder starts a program. They exchange data through files in a
// temporary directory, so that neither can block on the other.
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "report/drawing.h"

namespace assay {
namespace {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "assay-dot-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

Error not_installed() {
  return error("Graphviz is not installed",
               "install it (apt-get install graphviz), or write --dot FILE and draw it elsewhere");
}

}  // namespace

namespace {

Result<std::string> run_graphviz(const std::string& dot, std::string format) {
  const TemporaryDirectory directory;
  if (!directory.exists()) return error("cannot write a temporary file for Graphviz", "set TMPDIR");
  std::string in = directory.file("graph.dot"), out = directory.file("graph.out");
  std::ofstream(in, std::ios::binary) << dot;
  std::string program = "dot", output = "-o" + out;
  char* const arguments[] = {program.data(), format.data(), output.data(), in.data(), nullptr};
  pid_t child = 0;
  if (const int problem = posix_spawnp(&child, "dot", nullptr, nullptr, arguments, environ); problem != 0)
    return problem == ENOENT ? not_installed()
                             : error(std::string("Graphviz cannot be started: ") + std::strerror(problem));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return not_installed();
  std::ifstream drawn(out, std::ios::binary);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !drawn)
    return error("Graphviz could not draw the graph", "write --dot FILE and look at it");
  return std::string(std::istreambuf_iterator<char>(drawn), {});
}

}  // namespace

Result<std::string> draw_svg(const std::string& dot) { return run_graphviz(dot, "-Tsvg"); }
Result<std::string> lay_out(const std::string& dot) { return run_graphviz(dot, "-Tplain"); }

}  // namespace assay

#include "prove/second_solver.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace assay::prove {
namespace {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code ignored;
    std::string name = (std::filesystem::temp_directory_path(ignored) / "assay-smt-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace

SecondOpinion ask_cvc5(const std::string& smt, double seconds) {
  const ScratchFolder folder;
  std::string in = folder.file("obligation.smt2"), out = folder.file("answer");
  std::ofstream(in, std::ios::binary) << smt;
  std::string program = "cvc5", quiet = "--quiet", instances = "--enum-inst",
              limit = fmt::format("--tlimit={:.0f}", seconds * 1000);
  char* const arguments[] = {program.data(), quiet.data(), instances.data(),
                             limit.data(),   in.data(),    nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int problem = posix_spawnp(&child, "cvc5", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) return problem == ENOENT ? SecondOpinion::NotInstalled : SecondOpinion::Unknown;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return SecondOpinion::NotInstalled;
  std::ifstream answer(out);
  std::string word;
  answer >> word;
  return word == "unsat" ? SecondOpinion::Confirmed
         : word == "sat" ? SecondOpinion::Refuted
                         : SecondOpinion::Unknown;
}

}  // namespace assay::prove

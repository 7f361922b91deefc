#include "collect/journal_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "collect/temporary_directory.h"

namespace assay::test {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(JournalFile, HoldsWhatWasAppendedAndNothingElse) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/1.journal";
  std::string all;
  {
    auto file = JournalFile::create(path);
    ASSERT_TRUE(file);
    for (int i = 0; i < 300000; ++i) {  // several windows
      const std::string line = std::to_string(i) + "\n";
      all += line;
      ASSERT_TRUE(file->append(line));
    }
    ASSERT_TRUE(file->close());
  }
  EXPECT_EQ(content(path), all);
}

TEST(JournalFile, KeepsEverythingWhenTheProcessIsKilled) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/1.journal";
  const pid_t child = fork();
  if (child == 0) {
    auto file = JournalFile::create(path);
    if (!file->append("all of it\n")) _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::string left = content(path);
  EXPECT_TRUE(left.starts_with("all of it\n"));
  EXPECT_EQ(left.find_first_not_of('\0', 10), std::string::npos);
}

TEST(JournalFile, RefusesAFileThatIsThere) {
  auto directory = TemporaryDirectory::create();
  const std::string path = directory->path() + "/1.journal";
  ASSERT_TRUE(JournalFile::create(path));
  EXPECT_NE(JournalFile::create(path).error().describe().find("File exists"), std::string::npos);
}

}  // namespace
}  // namespace assay::test

// Every file of tests/analysis/unsafe is a small application that is not serializable at the levels of its
// first line, each by another construct of SQL. The analysis must never call one of them safe: it finds an
// anomaly, because it understands the construct or because it assumes the worst of it.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/rules.h"

namespace assay::analysis {
namespace {

struct UnsafeFile {
  std::filesystem::path path;
  std::string text;
  std::vector<std::string> levels;
};

std::vector<UnsafeFile> unsafe_files() {
  std::vector<UnsafeFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/tests/analysis/unsafe")) {
    std::ifstream input(entry.path());
    UnsafeFile file{entry.path(), {std::istreambuf_iterator<char>(input), {}}, {}};
    const std::string mark = "-- unsafe at: ";
    EXPECT_TRUE(file.text.starts_with(mark)) << entry.path();
    std::istringstream words(file.text.substr(mark.size(), file.text.find('\n') - mark.size()));
    for (std::string word; words >> word;) file.levels.push_back(word);
    files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, &UnsafeFile::path);
  return files;
}

class UnsafeApplication : public testing::TestWithParam<UnsafeFile> {};

TEST_P(UnsafeApplication, IsNotCalledSafe) {
  const sql::Application application = read(GetParam().text);
  ASSERT_FALSE(application.programs.empty());
  ASSERT_FALSE(GetParam().levels.empty());
  for (const std::string& level : GetParam().levels)
    EXPECT_FALSE(look(application, level, 2).anomalies.empty()) << "at " << level;
}

INSTANTIATE_TEST_SUITE_P(Files, UnsafeApplication, testing::ValuesIn(unsafe_files()),
                         [](const auto& file) { return file.param.path.stem().string(); });

}  // namespace
}  // namespace assay::analysis

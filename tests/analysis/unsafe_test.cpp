// Every file of tests/analysis/unsafe is a small application that is not serializable at the levels of its
// first line, each by another construct of SQL. The analysis must never call one of them safe: it finds an
// anomaly, because it understands the construct or because it assumes the worst of it. Every file of
// tests/analysis/safe is one that a server keeps serializable, by its constraints or locks: an anomaly there
// would be a false alarm.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/rules.h"
#include "support/paths.h"

namespace assay::analysis {
namespace {

struct MarkedFile {
  std::filesystem::path path;
  std::string text;
  std::vector<std::string> levels;
};

std::vector<MarkedFile> marked_files(const std::string& word) {
  std::vector<MarkedFile> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::source_dir() + "/tests/analysis/" + word)) {
    std::ifstream input(entry.path());
    MarkedFile file{entry.path(), {std::istreambuf_iterator<char>(input), {}}, {}};
    const std::string mark = "-- " + word + " at: ";
    EXPECT_TRUE(file.text.starts_with(mark)) << entry.path();
    std::istringstream words(file.text.substr(mark.size(), file.text.find('\n') - mark.size()));
    for (std::string level; words >> level;) file.levels.push_back(level);
    files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, &MarkedFile::path);
  return files;
}

class UnsafeApplication : public testing::TestWithParam<MarkedFile> {};

TEST_P(UnsafeApplication, IsNotCalledSafe) {
  const sql::Application application = read(GetParam().text);
  ASSERT_FALSE(application.programs.empty());
  ASSERT_FALSE(GetParam().levels.empty());
  for (const std::string& level : GetParam().levels)
    EXPECT_FALSE(look(application, level, 2).anomalies.empty()) << "at " << level;
}

INSTANTIATE_TEST_SUITE_P(Files, UnsafeApplication, testing::ValuesIn(marked_files("unsafe")),
                         [](const auto& file) { return file.param.path.stem().string(); });

class SafeApplication : public testing::TestWithParam<MarkedFile> {};

TEST_P(SafeApplication, IsProved) {
  const sql::Application application = read(GetParam().text);
  ASSERT_FALSE(GetParam().levels.empty());
  Options options;
  options.prove = true;
  for (const std::string& level : GetParam().levels)
    EXPECT_EQ(look(application, level, 3, options).outcome, Outcome::Serializable) << "at " << level;
}

INSTANTIATE_TEST_SUITE_P(Files, SafeApplication, testing::ValuesIn(marked_files("safe")),
                         [](const auto& file) { return file.param.path.stem().string(); });

}  // namespace
}  // namespace assay::analysis

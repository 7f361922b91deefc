// The engine can be read file by file: no file of it is long, and no header needs another one that needs it.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>

#include "architecture/include_rules.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMostLines = 400;
// Where the search for a verdict happens.
constexpr std::string_view kEngine[] = {"check", "dependency", "encoding", "saturation"};

const std::filesystem::path kSource = std::filesystem::path(source_dir()) / "src";

std::optional<std::string> source(const std::string& path) {
  std::ifstream file(kSource / path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// With their paths below src.
std::vector<std::string> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == extension)
      files.push_back(entry.path().lexically_relative(kSource).generic_string());
  return files;
}

TEST(FileSize, OfTheEngineIsSmall) {
  for (const std::string_view folder : kEngine)
    for (const std::string extension : {".h", ".cpp"}) {
      const auto files = files_in(kSource / folder, extension);
      EXPECT_GT(files.size(), 3u) << folder;
      EXPECT_THAT(too_long(files, kMostLines, source), IsEmpty());
    }
}

TEST(HeaderCycles, ThereAreNone) {
  const auto headers = files_in(kSource, ".h");
  EXPECT_GT(headers.size(), 100u);
  EXPECT_THAT(header_cycles(headers, source), IsEmpty());
}

// The table of ideas in the document.
TEST(Architecture, NamesFilesThatExist) {
  std::ifstream file(std::filesystem::path(source_dir()) / "docs/architecture.md", std::ios::binary);
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const auto named = files_of_ideas(document);
  EXPECT_GT(named.size(), 20u);
  for (const std::string& path : named) EXPECT_TRUE(std::filesystem::exists(kSource / path)) << path;
}

std::optional<std::string> example(const std::string& path) {
  static const std::map<std::string, std::string> sources{
      {"graph/a.h", "#pragma once\n#include \"graph/b.h\"\n#include <vector>\n"},
      {"graph/b.h", "#include \"base/id.h\"\n#include \"history/c.h\"\n"},
      {"history/c.h", "#include \"graph/b.h\"\n"},
      {"base/id.h", "\n\n\n"},
  };
  const auto found = sources.find(path);
  return found == sources.end() ? std::nullopt : std::optional(found->second);
}

TEST(HeaderCycles, AreFoundAlongWhateverWay) {
  EXPECT_THAT(header_cycles({"base/id.h", "graph/a.h", "history/c.h"}, example),
              ElementsAre("graph/b.h -> history/c.h -> graph/b.h"));
  EXPECT_THAT(header_cycles({"base/id.h"}, example), IsEmpty());
}

TEST(FileSize, IsCountedInLines) {
  EXPECT_THAT(too_long({"base/id.h", "history/c.h"}, 2, example),
              ElementsAre("base/id.h has 3 lines, and should have 2 at most"));
  EXPECT_THAT(too_long({"base/id.h"}, 3, example), IsEmpty());
}

}  // namespace
}  // namespace assay::test

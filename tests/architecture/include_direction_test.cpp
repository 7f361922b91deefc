// Holds src/ to the tables of docs/architecture.md.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "architecture/include_rules.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

IncludeRules rules_of_the_document() {
  return parse_rules(contents(std::filesystem::path(source_dir()) / "docs/architecture.md"));
}

constexpr std::string_view kDocument = R"(
| folder | what lives there | may include (besides base) |
|---|---|---|
| `base` | ids | - |
| `history` | *(planned)* the model | - |
| `graph` | graphs | - |
| `check` | the pipeline | history, graph |
| `cli` | commands | all |

| header | home |
|---|---|
| `zlib.h` | graph/pack.cpp, check/unpack.cpp |
| `CLI/` | cli |
)";

std::vector<std::string> judge(const std::string& path, std::string_view text) {
  return violations(parse_rules(kDocument), path, text);
}

TEST(IncludeDirection, IsKeptByEverySourceFile) {
  const IncludeRules rules = rules_of_the_document();
  const std::filesystem::path src = std::filesystem::path(source_dir()) / "src";
  std::vector<std::string> all;
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(src)) {
    const auto extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    ++files;
    std::ranges::copy(violations(rules, entry.path().lexically_relative(src), contents(entry.path())),
                      std::back_inserter(all));
  }
  EXPECT_THAT(all, IsEmpty());
  EXPECT_GT(files, 20);
}

// The checker of certificates shares nothing with the search but what the document lists.
TEST(IncludeDirection, CheckerOfCertificatesReachesOnlyWhatTheDocumentLists) {
  const std::filesystem::path src = std::filesystem::path(source_dir()) / "src";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(src / "certify"))
    files.push_back(entry.path().lexically_relative(src).generic_string());
  const auto allowed =
      headers_of_the_checker(contents(std::filesystem::path(source_dir()) / "docs/architecture.md"));
  EXPECT_GT(files.size(), 20u);
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    return std::filesystem::exists(src / path) ? std::optional(contents(src / path)) : std::nullopt;
  };
  EXPECT_THAT(reached_but_not_allowed("certify", files, allowed, read), IsEmpty());
  for (const std::string& header : allowed) EXPECT_TRUE(std::filesystem::exists(src / header)) << header;
}

TEST(IncludeDirection, DocumentNamesEveryFolder) {
  const IncludeRules rules = rules_of_the_document();
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source_dir()) / "src"))
    EXPECT_TRUE(rules.may_include.contains(entry.path().filename().string())) << entry.path();
}

TEST(IncludeDirection, DocumentMarksNoExistingFolderAsPlanned) {
  std::ifstream document(std::filesystem::path(source_dir()) / "docs/architecture.md");
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("| `") || line.find("*(planned)*") == std::string::npos) continue;
    const std::string folder = line.substr(3, line.find('`', 3) - 3);
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(source_dir()) / "src" / folder)) << folder;
  }
}

TEST(IncludeRules, AllowTheOwnFolderBaseAndWhatTheRowNames) {
  EXPECT_THAT(judge("check/a.cpp",
                    "#include \"check/a.h\"\n#include \"base/result.h\"\n"
                    "#include \"graph/scc.h\"\n#include <vector>\n"),
              IsEmpty());
  EXPECT_THAT(judge("cli/main.cpp", "#include \"check/a.h\"\n#include <CLI/CLI.hpp>\n"), IsEmpty());
}

TEST(IncludeRules, ForbidWhatTheRowDoesNotName) {
  EXPECT_THAT(judge("graph/scc.h", "#pragma once\n#include \"history/history.h\"\n"),
              ElementsAre("graph/scc.h:2: includes history/history.h, but graph may not use history"));
  EXPECT_THAT(judge("base/id.h", "  #  include \"graph/scc.h\"\n"),
              ElementsAre("base/id.h:1: includes graph/scc.h, but base may not use graph"));
}

TEST(IncludeRules, ForbidEverybodyToIncludeTheCommandLine) {
  EXPECT_THAT(judge("check/a.cpp", "#include \"cli/table.h\""),
              ElementsAre("check/a.cpp:1: includes cli/table.h, but check may not use cli"));
}

TEST(IncludeRules, ForbidFoldersThatTheDocumentDoesNotName) {
  EXPECT_THAT(judge("extra/a.cpp", ""),
              ElementsAre("extra/a.cpp: the folder extra is not in docs/architecture.md"));
  EXPECT_THAT(judge("cli/main.cpp", "#include \"extra/a.h\""),
              ElementsAre("cli/main.cpp:1: includes extra/a.h, whose folder is not in docs/architecture.md"));
  EXPECT_THAT(judge("graph/scc.cpp", "#include \"scc.h\""),
              ElementsAre("graph/scc.cpp:1: includes scc.h, which does not name a folder"));
}

TEST(IncludeRules, KeepThirdPartyHeadersAtHome) {
  EXPECT_THAT(judge("graph/pack.cpp", "#include <zlib.h>"), IsEmpty());
  EXPECT_THAT(judge("graph/other.cpp", "#include <zlib.h>"),
              ElementsAre("graph/other.cpp:1: includes zlib.h, which has its home elsewhere"));
  EXPECT_THAT(judge("check/a.cpp", "#include <CLI/CLI.hpp>"),
              ElementsAre("check/a.cpp:1: includes CLI/CLI.hpp, which has its home elsewhere"));
}

TEST(IncludeRules, FollowWhatACheckerReaches) {
  const std::map<std::string, std::string> sources{
      {"graph/a.cpp", "#include \"graph/a.h\"\n#include \"history/plain.h\"\n#include \"base/id.h\"\n"},
      {"graph/a.h", "#include <vector>\n"},
      {"history/plain.h", "#include \"history/clever.h\"\n"},
      {"history/clever.h", "#include \"check/search.h\"\n"},
  };
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = sources.find(path);
    return found == sources.end() ? std::nullopt : std::optional(found->second);
  };
  EXPECT_THAT(reached_but_not_allowed("graph", {"graph/a.cpp"}, {"history/plain.h", "base/"}, read),
              ElementsAre("history/clever.h includes check/search.h, which graph may not reach",
                          "history/plain.h includes history/clever.h, which graph may not reach"));
}

TEST(IncludeRules, RefuseADocumentWithoutTheTables) {
  EXPECT_THROW(parse_rules("# Architecture\n"), std::invalid_argument);
  EXPECT_THROW(parse_rules("| folder | may include |\n|---|---|\n| a | b |\n"), std::invalid_argument);
}

}  // namespace
}  // namespace assay::test

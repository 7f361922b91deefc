// Which folder of src/ may include which, as docs/architecture.md tells it.
//
// The document is the rule: it is parsed, not repeated. Includes are read line by line, so a
// forbidden one is found even where the compiler would not complain.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::test {

struct IncludeRules {
  std::map<std::string, std::set<std::string>> may_include;  // by folder; "all" allows everything but cli
  std::vector<std::pair<std::string, std::vector<std::string>>> homes;  // header prefix -> folders or files
};

// Throws std::invalid_argument when a table is missing or names a folder that has no row.
IncludeRules parse_rules(std::string_view document);

// What is wrong with one source file, as sentences; `path` is relative to src/ ("graph/scc.cpp").
std::vector<std::string> violations(const IncludeRules& rules, const std::filesystem::path& path,
                                    std::string_view text);

}  // namespace assay::test

// Which folder of src/ may include which, as docs/architecture.md tells it.
//
// The document is the rule: it is parsed, not repeated. Includes are read line by line, so a
// forbidden one is found even where the compiler would not complain.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
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

// The headers that the checker of certificates may reach: the table of `header` and `why`. A name that ends
// in / allows a folder.
std::vector<std::string> headers_of_the_checker(std::string_view document);

// The files in the table of `idea` and `file`.
std::vector<std::string> files_of_ideas(std::string_view document);

// What the files of a folder include of other folders, and these files in turn, that is not on the list; as
// sentences. `contents(path)` is the text of a file of src/, nothing if there is none.
std::vector<std::string> reached_but_not_allowed(
    std::string_view folder, const std::vector<std::string>& files, const std::vector<std::string>& allowed,
    const std::function<std::optional<std::string>(const std::string&)>& contents);

// Headers that include each other in a circle, by whatever way: each circle as a sentence, in the order of
// inclusion. `#pragma once` lets a compiler pass over one, but nobody can read such a header by itself.
std::vector<std::string> header_cycles(
    const std::vector<std::string>& headers,
    const std::function<std::optional<std::string>(const std::string&)>& contents);

// The files that have more lines than that, as sentences.
std::vector<std::string> too_long(
    const std::vector<std::string>& files, std::size_t most_lines,
    const std::function<std::optional<std::string>(const std::string&)>& contents);

}  // namespace assay::test

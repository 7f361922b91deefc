#include "architecture/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace assay::test {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" `");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" `") - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

// The rows below the header whose first cell is `first` and last cell begins with `last`.
std::vector<std::vector<std::string>> table(std::string_view document, std::string_view first,
                                            std::string_view last) {
  std::vector<std::vector<std::string>> rows;
  bool inside = false;
  std::istringstream stream{std::string(document)};
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with("|")) {
      inside = false;
      continue;
    }
    const auto cells = split(std::string_view(line).substr(1), '|');
    if (inside && !cells[0].starts_with("---")) rows.push_back(cells);
    if (cells[0] == first && cells.back().starts_with(last)) inside = true;
  }
  if (rows.empty()) throw std::invalid_argument(fmt::format("no table of {} and {}", first, last));
  return rows;
}

struct Include {
  std::string header;
  bool quoted = false;
};

// By hand: g++ 12 warns about the inside of std::regex when sanitizers are on.
std::optional<Include> include_of(std::string_view line) {
  const auto skip_space = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_space();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_space();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(std::string_view("include").size());
  skip_space();
  const bool quoted = line.starts_with('"');
  if (!quoted && !line.starts_with('<')) return std::nullopt;
  line.remove_prefix(1);
  return Include{std::string(line.substr(0, line.find(quoted ? '"' : '>'))), quoted};
}

bool is_at_home(const std::filesystem::path& path, const std::vector<std::string>& homes) {
  return std::ranges::any_of(homes, [&](const std::string& home) {
    return path.generic_string() == home || path.begin()->string() == home;
  });
}

bool is_allowed(const IncludeRules& rules, const std::string& from, const std::string& to) {
  if (to == from || to == "base") return true;
  const auto& allowed = rules.may_include.at(from);
  return to != "cli" && (allowed.contains("all") || allowed.contains(to));
}

}  // namespace

IncludeRules parse_rules(std::string_view document) {
  IncludeRules rules;
  for (const auto& row : table(document, "folder", "may include")) {
    auto& allowed = rules.may_include[row[0]];
    for (const auto& folder : split(row.back(), ','))
      if (folder != "-") allowed.insert(folder);
  }
  for (const auto& [folder, allowed] : rules.may_include)
    for (const auto& other : allowed)
      if (other != "all" && !rules.may_include.contains(other))
        throw std::invalid_argument(fmt::format("{} may include {}, which has no row", folder, other));
  for (const auto& row : table(document, "header", "home"))
    rules.homes.emplace_back(row[0], split(row.back(), ','));
  return rules;
}

std::vector<std::string> violations(const IncludeRules& rules, const std::filesystem::path& path,
                                    std::string_view text) {
  const std::string folder = path.begin()->string();
  if (!rules.may_include.contains(folder))
    return {fmt::format("{}: the folder {} is not in docs/architecture.md", path.generic_string(), folder)};

  std::vector<std::string> found;
  std::istringstream stream{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const auto include = include_of(line);
    if (!include) continue;
    const std::string& header = include->header;
    const auto complain = [&](std::string_view why) {
      found.push_back(fmt::format("{}:{}: includes {}, {}", path.generic_string(), number, header, why));
    };
    for (const auto& [prefix, homes] : rules.homes)
      if (header.starts_with(prefix) && !is_at_home(path, homes)) complain("which has its home elsewhere");
    if (!include->quoted) continue;
    const std::string to = std::filesystem::path(header).begin()->string();
    if (to == header) complain("which does not name a folder");
    else if (!rules.may_include.contains(to)) complain("whose folder is not in docs/architecture.md");
    else if (!is_allowed(rules, folder, to)) complain(fmt::format("but {} may not use {}", folder, to));
  }
  return found;
}

namespace {

using Contents = std::function<std::optional<std::string>(const std::string&)>;

// A walk along includes, depth first: an include of a header that the walk is still in closes a circle.
class CycleFinder {
 public:
  explicit CycleFinder(const Contents& contents) : contents_(contents) {}

  void visit(const std::string& header) {
    if (const auto open = std::ranges::find(path_, header); open != path_.end()) {
      std::string circle;
      for (auto step = open; step != path_.end(); ++step) circle += *step + " -> ";
      found_.push_back(circle + header);
      return;
    }
    if (!seen_.insert(header).second) return;
    path_.push_back(header);
    std::istringstream stream{contents_(header).value_or("")};
    for (std::string line; std::getline(stream, line);)
      if (const auto include = include_of(line); include && include->quoted) visit(include->header);
    path_.pop_back();
  }
  std::vector<std::string> found() && { return std::move(found_); }

 private:
  const Contents& contents_;
  std::vector<std::string> path_, found_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<std::string> header_cycles(const std::vector<std::string>& headers, const Contents& contents) {
  CycleFinder finder(contents);
  for (const std::string& header : headers) finder.visit(header);
  return std::move(finder).found();
}

std::vector<std::string> too_long(const std::vector<std::string>& files, std::size_t most_lines,
                                  const Contents& contents) {
  std::vector<std::string> found;
  for (const std::string& file : files) {
    const std::string text = contents(file).value_or("");
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (lines > most_lines)
      found.push_back(fmt::format("{} has {} lines, and should have {} at most", file, lines, most_lines));
  }
  return found;
}

std::vector<std::string> files_of_ideas(std::string_view document) {
  std::vector<std::string> files;
  for (const auto& row : table(document, "idea", "file"))
    for (const std::string& file : split(row.back(), ',')) files.push_back(file);
  return files;
}

std::vector<std::string> headers_of_the_checker(std::string_view document) {
  std::vector<std::string> headers;
  for (const auto& row : table(document, "header", "why")) headers.push_back(row[0]);
  return headers;
}

std::vector<std::string> reached_but_not_allowed(
    std::string_view folder, const std::vector<std::string>& files, const std::vector<std::string>& allowed,
    const std::function<std::optional<std::string>(const std::string&)>& contents) {
  const auto is_allowed = [&](const std::string& header) {
    return header.starts_with(std::string(folder) + "/") ||
           std::ranges::any_of(allowed, [&](const std::string& name) {
             return name.ends_with("/") ? header.starts_with(name) : header == name;
           });
  };
  std::vector<std::string> found, open = files;
  std::set<std::string> seen(files.begin(), files.end());
  while (!open.empty()) {
    const std::string path = open.back();
    open.pop_back();
    std::istringstream stream{contents(path).value_or("")};
    for (std::string line; std::getline(stream, line);) {
      const auto include = include_of(line);
      if (!include || !include->quoted || !seen.insert(include->header).second) continue;
      open.push_back(include->header);
      if (!is_allowed(include->header))
        found.push_back(fmt::format("{} includes {}, which {} may not reach", path, include->header, folder));
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace assay::test

#include "collect/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <random>

#include "collect/adapters.h"

namespace assay {
namespace {

struct AdapterRow {
  std::string_view scheme, example;  // no example: another spelling of the one before
  Result<std::unique_ptr<Database>> (*open)(const Url& url, const DatabaseOptions& options);
};

constexpr AdapterRow kAdapters[] = {
    {"sqlite", "sqlite:", open_sqlite}, {"postgresql", "postgresql://USER@HOST/DATABASE", open_postgresql},
    {"postgres", "", open_postgresql},  {"mariadb", "mariadb://USER@HOST", open_mariadb},
    {"mysql", "", open_mariadb},        {"simulated", "simulated:si", open_simulated},
};

// "Read Committed", read_committed and read-committed are one name.
std::string normal(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    c = c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

Result<std::unique_ptr<Database>> open_database(const Url& url, const DatabaseOptions& options) {
  std::string examples;
  for (const AdapterRow& row : kAdapters) {
    if (row.scheme == url.scheme) return row.open(url, options);
    if (!row.example.empty()) examples += (examples.empty() ? "" : ", ") + std::string(row.example);
  }
  return error(fmt::format("no database is called {}", url.shown), "one of " + examples);
}

Result<const DatabaseLevel*> find_level(const Database& database, std::string_view name) {
  std::string names;
  if (name.empty()) return &database.levels().front();
  for (const DatabaseLevel& level : database.levels()) {
    if (level.name == normal(name)) return &level;
    names += (names.empty() ? "" : ", ") + std::string(level.name);
  }
  return error(fmt::format("{} has no isolation level {}", database.version(), name), "one of " + names);
}

void parse_list(std::string_view text, std::vector<std::int64_t>& elements) {
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    std::int64_t element = 0;
    const auto parsed = std::from_chars(at, end, element);
    if (parsed.ec != std::errc()) return;
    elements.push_back(element);
    at = parsed.ptr + 1;
  }
}

namespace {
constexpr std::string_view kNamesBegin = "assay_";
}

std::string unused_name() {
  std::random_device device;
  return fmt::format("{}{:08x}", kNamesBegin, device());
}

bool is_unused_name(std::string_view name) {
  return name.starts_with(kNamesBegin) && name.size() == kNamesBegin.size() + 8 &&
         name.find_first_not_of("0123456789abcdef", kNamesBegin.size()) == std::string_view::npos;
}

Result<Treatments> parse_treatments(std::span<const std::string> texts) {
  constexpr std::pair<std::string_view, Reply> kMeanings[] = {
      {"aborted", Reply::Aborted}, {"unknown", Reply::Lost}, {"fatal", Reply::Broken}};
  Treatments treatments;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const auto meaning = equals == std::string::npos || equals == 0
                             ? std::end(kMeanings)
                             : std::ranges::find(kMeanings, std::string_view(text).substr(equals + 1),
                                                 &std::pair<std::string_view, Reply>::first);
    if (meaning == std::end(kMeanings))
      return error(fmt::format("{} does not say what an error means", text),
                   "CODE=aborted, CODE=unknown or CODE=fatal");
    treatments[text.substr(0, equals)] = meaning->second;
  }
  return treatments;
}

Reply treated(const Treatments& treatments, std::string_view code, Reply otherwise) {
  const auto found = treatments.find(code);
  return found == treatments.end() ? otherwise : found->second;
}

}  // namespace assay

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

std::string unused_name() {
  std::random_device device;
  return fmt::format("assay_{:08x}", device());
}

}  // namespace assay

#include "hunt/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace assay {

Result<std::vector<const DatabaseLevel*>> find_levels(const Database& database, const std::string& names) {
  std::vector<const DatabaseLevel*> levels;
  std::istringstream list(names);
  std::string name;
  do {
    std::getline(list, name, ',');
    auto level = find_level(database, name);
    if (!level) return std::move(level).error();
    levels.push_back(*level);
  } while (!list.eof());
  return levels;
}

Result<Level> common_claim(const std::vector<const DatabaseLevel*>& levels) {
  for (const DatabaseLevel* weakest : levels)
    if (weakest->claims && std::ranges::all_of(levels, [&](const DatabaseLevel* other) {
          return other->claims && implies(*other->claims, *weakest->claims);
        }))
      return *weakest->claims;
  return error(fmt::format("{} claims no level that could be checked", levels.front()->name),
               "say which with --check");
}

}  // namespace assay

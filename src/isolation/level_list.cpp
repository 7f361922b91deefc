#include "isolation/level_list.h"

#include <fmt/format.h>

namespace assay {
namespace {

constexpr const char* kRemedy = "assay levels lists them";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace

Result<LevelList> parse_levels(std::string_view names) {
  LevelList list;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = trimmed(names.substr(begin, end - begin));
    begin = end + 1;
    if (name.empty()) continue;
    if (name == "all") {
      list.all = true;
      for (const LevelRow& level : levels()) list.levels.push_back(level.level);
      continue;
    }
    const auto level = find_level(name);
    if (!level) return error(fmt::format("unknown level {}", name), kRemedy);
    list.levels.push_back(*level);
  }
  if (list.levels.empty()) return error("no level is given", kRemedy);
  return list;
}

}  // namespace assay

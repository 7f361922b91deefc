// Levels as users name them: "ser", "ser, si", "all".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isolation/level.h"

namespace assay {

struct LevelList {
  std::vector<Level> levels;
  bool all = false;  // "all" was among the names: includes levels that may not suit a history
  // Which definition was taken for each name that is no id: sentences for the user.
  std::vector<std::string> meanings{};
};

// Names are separated by commas; spaces around them are ignored.
Result<LevelList> parse_levels(std::string_view names);

// Which definition a name of this level stands for; nothing if the name is its id. Names such as
// "serializable" mean different things in different places, so commands print this.
std::optional<std::string> meaning_of_name(std::string_view name, Level level);

// By id, full name or alias. For a level of the literature that Assay does not judge, the error says why.
Result<Level> level_named(std::string_view name);

}  // namespace assay

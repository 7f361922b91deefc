#include "isolation/level_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/similar.h"

namespace assay {
namespace {

constexpr const char* kRemedy = "assay levels lists them";

struct NotJudged {
  std::vector<std::string_view> names;
  std::string_view why, remedy;
};

// Names from the literature that Assay does not judge, and must not confuse with similar levels.
const std::vector<NotJudged>& levels_not_judged() {
  static const std::vector<NotJudged> all{
      {{"read-uncommitted", "pl-1"},
       "it only forbids cycles of writes, and where reads may return anything that was written, they do not "
       "show the order of writes",
       "the weakest level that is judged is pl-2"},
      {{"cursor-stability", "pl-cs"},
       "a history does not say which reads were through a cursor, and when it moved on",
       "pl-2 is weaker, plain-ser stronger"},
      {{"repeatable-read", "pl-2.99"},
       "it allows anti-dependencies through predicates, and there is no rule yet that tells these from "
       "others",
       "plain-ser is the same where a history has no predicates"},
      {{"read-your-writes", "monotonic-reads", "monotonic-writes", "writes-follow-reads"},
       "there is no rule yet for a session guarantee by itself",
       "cc implies all four"},
  };
  return all;
}

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
    auto level = level_named(name);
    if (!level) return std::move(level).error();
    list.levels.push_back(*level);
    if (auto meaning = meaning_of_name(name, *level)) list.meanings.push_back(*std::move(meaning));
  }
  if (list.levels.empty()) return error("no level is given", kRemedy);
  return list;
}

std::optional<std::string> meaning_of_name(std::string_view name, Level level) {
  const LevelRow& meant = row(level);
  if (is_spelled(name, meant.id)) return std::nullopt;
  std::string text = fmt::format("{} is taken for {}: {}", name, meant.id, meant.definition);
  if (const auto with_sessions = with_session_order(level); with_sessions && *with_sessions != level)
    text +=
        fmt::format(" With session order it is {} ({}).", row(*with_sessions).id, row(*with_sessions).name);
  return text;
}

Result<Level> level_named(std::string_view name) {
  if (const auto level = find_level(name)) return *level;
  for (const NotJudged& level : levels_not_judged())
    if (std::ranges::find(level.names, name) != level.names.end())
      return error(fmt::format("{} is not judged: {}", name, level.why), std::string(level.remedy));
  std::vector<std::string> known;
  for (const LevelRow& level : levels()) known.emplace_back(level.id);
  const std::string hint = did_you_mean(name, known);
  return error(fmt::format("unknown level {}", name), hint.empty() ? kRemedy : hint + " " + kRemedy);
}

}  // namespace assay

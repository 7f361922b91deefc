// `assay levels`: lists the isolation levels and what implies what.
#include <fmt/format.h>

#include <memory>

#include "cli/anomaly_text.h"
#include "cli/command.h"
#include "history/scalar.h"
#include "isolation/anomaly.h"
#include "isolation/level_list.h"

namespace assay::cli {
namespace {

std::string joined(const std::vector<std::string_view>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::vector<std::string_view> directly_implied(const LevelRow& level) {
  std::vector<std::string_view> ids;
  for (const Level weaker : level.implies) ids.push_back(id(weaker));
  return ids;
}

// Breaks text into lines of at most `width` columns, each after `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    if (column == 0 || column + 1 + space > width) {
      if (column > 0) out += '\n';
      out += std::string(indent, ' ');
      column = indent;
    } else {
      out += ' ';
      ++column;
    }
    out += text.substr(0, space);
    column += space;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out + '\n';
}

std::string as_text(const LevelRow& level) {
  std::string text = fmt::format("{:<11} {}", level.id, level.name);
  if (!level.aliases.empty()) text += fmt::format(" (also {})", joined(level.aliases, ", "));
  text += '\n' + wrapped(level.definition, 12, 100);
  text += fmt::format("            from {}\n", level.source);
  if (!level.implies.empty())
    text += fmt::format("            implies {}\n", joined(directly_implied(level), ", "));
  if (level.needs_instants()) text += "            needs the begin and end times of every transaction\n";
  return text;
}

std::string as_text() {
  std::string text;
  for (const LevelRow& level : levels()) text += as_text(level) + '\n';
  return text;
}

// One level among its neighbours, and an example of each anomaly that it is the weakest to rule out.
std::string in_full(const LevelRow& level) {
  std::string text = as_text(level);
  std::vector<std::string_view> stronger;
  for (const LevelRow& other : levels())
    if (other.implies.contains(level.level)) stronger.push_back(other.id);
  if (!stronger.empty()) text += fmt::format("            implied by {}\n", joined(stronger, ", "));
  text += fmt::format("            session order: {}\n", level.session_order() ? "yes" : "no");
  bool any = false;
  for (const AnomalyRow& anomaly : anomalies()) {
    if (!anomaly.rules_out.contains(level.level)) continue;
    if (!any) text += "\nThe weakest level that rules out\n";
    any = true;
    text += fmt::format("  {}: {}\n", anomaly.name, anomaly.meaning);
    text += fmt::format("    {}\n", on_one_line(anomaly.example));
  }
  return text;
}

std::string as_json() {
  std::string text = "{\"schema\":1,\"levels\":[";
  const char* separator = "";
  const auto list = [](const std::vector<std::string_view>& words) {
    return words.empty() ? std::string("[]") : fmt::format("[\"{}\"]", joined(words, "\",\""));
  };
  for (const LevelRow& level : levels()) {
    text += fmt::format("{}{{\"id\":\"{}\",\"name\":\"{}\",\"aliases\":{},\"definition\":", separator,
                        level.id, level.name, list(level.aliases));
    print_json_string(level.definition, text);
    text += ",\"source\":";
    print_json_string(level.source, text);
    text += fmt::format(",\"needs_instants\":{},\"session_order\":{},\"implies\":{}}}",
                        level.needs_instants(), level.session_order(), list(directly_implied(level)));
    separator = ",";
  }
  return text + "]}\n";
}

}  // namespace

void add_levels(CLI::App& app, Exit& exit) {
  auto json = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("levels", "List the isolation levels and what implies what");
  command->add_option("NAME", *name, "One level, by id or name, with examples of what it rules out");
  command->add_flag("--json", *json, "As one JSON object")->excludes("NAME");
  command->footer("Examples:\n  assay levels\n  assay levels snapshot-isolation");
  command->callback([json, name, &exit] {
    if (!name->empty()) {
      const auto level = level_named(*name);
      if (!level) {
        exit = fail(level.error());
        return;
      }
      print(in_full(row(*level)));
    } else {
      print(*json ? as_json() : as_text());
    }
    exit = Exit::Holds;
  });
}

}  // namespace assay::cli

// The histories that documents show, fenced by ```hist, are what their comments say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "check/predicates.h"
#include "corpus_tests/corpus.h"
#include "support/oracle_level.h"
#include "support/paths.h"

namespace assay::test {
namespace {

std::vector<CorpusCase> histories_in(const std::string& document) {
  std::ifstream file(source_dir() + "/" + document);
  std::vector<CorpusCase> found;
  std::string block;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line == "```hist") {
      inside = true;
      block.clear();
    } else if (inside && line == "```") {
      inside = false;
      auto parsed = parse_case(document + " up to line " + std::to_string(number), block);
      if (parsed) found.push_back(*std::move(parsed));
      else ADD_FAILURE() << parsed.error().describe();
    } else if (inside) {
      block += line + "\n";
    }
  }
  return found;
}

TEST(Documents, ShowHistoriesWithTheVerdictsOfTheOracleAndTheChecker) {
  const auto shown = histories_in("docs/predicates.md");
  EXPECT_GE(shown.size(), 7u);
  for (const CorpusCase& one : shown)
    for (const auto& [level, holds] : one.holds) {
      SCOPED_TRACE(one.path + " at " + std::string(id(level)));
      EXPECT_EQ(oracle::allows(one.history, of_oracle(level)), holds);
      if (const auto verdict = PredicateChecker(one.history).judge(level)) {
        EXPECT_EQ(std::holds_alternative<Holds>(*verdict), holds);
      }
    }
}

std::string text_of(const std::string& document) {
  std::ifstream file(source_dir() + "/" + document);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Documents, ListTheNamesOfAllLevels) {
  const std::string page = text_of("docs/levels.md");
  for (const LevelRow& level : levels()) {
    std::string aliases;
    for (const std::string_view alias : level.aliases)
      aliases += fmt::format("{}`{}`", aliases.empty() ? "" : ", ", alias);
    const std::string line = fmt::format(
        "| `{}` | `{}` | {} | {} | {} | {} |\n", level.id, level.name, aliases.empty() ? "-" : aliases,
        level.session_order() ? "yes" : "no", level.needs_instants() ? "yes" : "no", level.source);
    EXPECT_NE(page.find(line), std::string::npos) << "docs/levels.md lacks: " << line;
  }
}

// docs/names.md has a line for each anomaly, with the names of the table.
TEST(Documents, ListTheNamesOfAllAnomalies) {
  const std::string page = text_of("docs/names.md");
  const auto quoted = [](std::string_view name) {
    return name.empty() ? std::string("-") : fmt::format("`{}`", name);
  };
  for (const AnomalyRow& anomaly : anomalies()) {
    const std::string line =
        fmt::format("| `{}` | {} | {} | ", anomaly.name, quoted(anomaly.adya), quoted(anomaly.elle));
    EXPECT_NE(page.find(line), std::string::npos) << "docs/names.md lacks: " << line;
  }
}

}  // namespace
}  // namespace assay::test

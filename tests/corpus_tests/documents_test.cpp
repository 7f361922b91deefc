// The histories that documents show, fenced by ```hist, are what their comments say.
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

}  // namespace
}  // namespace assay::test

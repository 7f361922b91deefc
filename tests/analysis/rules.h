// What the tests of single rules share: small applications in SQL, and what is found in them.
#pragma once

#include <string>

#include "analysis/known_answers.h"
#include "analysis/subjects.h"

namespace assay::analysis {

inline const std::string kTable = "CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL, b int NOT NULL);\n";
inline const std::string kTables = kTable + "CREATE TABLE u (k int PRIMARY KEY, a int NOT NULL);\n";

inline sql::Application read(const std::string& text) {
  auto application = sql::read_application({{"test.sql", text}});
  EXPECT_TRUE(application) << application.error().describe();
  return application ? std::move(*application) : sql::Application();
}

inline bool has(const Analysis& analysis, const sql::Application& application, const Cycle& cycle) {
  return cycles(analysis, application).contains(cycle);
}

// All cycles of up to this length.
inline Analysis look(const sql::Application& application, std::string_view levels, unsigned cycle,
                     const Options& given = {}) {
  Options options = given;
  options.cycle = cycle;
  options.all_lengths = true;
  options.threads = 1;  // tests run side by side
  return analyze(application, *parse_levels(levels, application), options);
}

}  // namespace assay::analysis

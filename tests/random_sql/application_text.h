// A random schema and two random programs, as SQL text that PostgreSQL runs and the analysis reads.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "sql/program.h"

namespace assay::test {

struct ScriptStatement {
  std::string text;    // :name is a parameter or a variable
  std::string into{};  // the variable that gets the first column of its row
};

struct ProgramScript {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<ScriptStatement> statements;
};

struct ApplicationText {
  std::string schema;
  std::vector<ProgramScript> programs;
  bool has_parent = false;  // t.b refers to u.k

  std::string text() const;
  // A value for the last column of a row that is there from the start: one that the foreign key allows.
  std::string parent(std::string_view table, std::uint64_t key) const;
};

ApplicationText draw_application(Random& random);
std::string with_values(const std::string& statement, const std::map<std::string, std::string>& values);
bool text_has_opaque(const sql::Application& application);

}  // namespace assay::test

// Which of a program's values are parameters, which of these are one, and what they are called.
#pragma once

#include "sql_log/programs.h"

namespace assay::sql_log {

// Columns that foreign keys connect have the same root.
class ColumnRoots {
 public:
  explicit ColumnRoots(const sql::Schema& schema);
  std::string root(const std::string& column) const;  // of `table.column`

 private:
  std::map<std::string, std::string> up_;
};

struct Parameters {
  std::vector<std::string> texts;  // in place of each slot of the program: `:account_id`, or a constant
  std::vector<std::string> names;  // of the parameters, in the order of the text
  std::vector<std::string> declarations;  // the same, with the types of arrays
  std::vector<std::string> unified;       // those that stand for several slots
  std::vector<std::string> constants;
};

Parameters parameters_of(const SeenProgram& program, const ColumnRoots& roots);

}  // namespace assay::sql_log

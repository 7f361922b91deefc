// PL/pgSQL: the control flow around the SQL statements of a function or procedure.
//
// Jumps become conditions: RETURN, EXIT and CONTINUE raise a flag, and what follows stands in an If on that
// flag. Flags are expressions, not variables, so that `IF c THEN RETURN; END IF; rest` costs one If over c.
// There is one flag for each loop (leave this round) and one for the function; a RETURN raises them all.
#pragma once

#include <string>
#include <vector>

#include "sql/lowering.h"

namespace assay::sql {

struct BodyOfFunction {
  std::string create_function;              // the whole statement, as written
  Place first_line;                         // of the body: PL/pgSQL counts lines from there
  std::vector<std::string> out_parameters;  // what the caller gets at the end
  bool returns_value = false;               // RETURN has something behind it
  bool is_trigger = false;  // RETURN decides about the row: `#skips` says whether it is passed over
};

// Appends the body; the parameters are in the environment already. Problems are in `lowering`.
void lower_plpgsql(const BodyOfFunction& function, Lowering& lowering);

}  // namespace assay::sql

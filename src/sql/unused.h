// Takes out of a program what nothing depends on: assignments, and answers that nobody asks for.
//
// Joining the branches of an If assigns every variable that they set, needed or not; without this a reader of
// the program, and the solver, would look at many that are not.
#pragma once

#include "sql/program.h"

namespace assay::sql {

void drop_unused(Program& program);
// Whether something that stays needs the variable.
bool is_used(const Program& program, VariableId variable);

}  // namespace assay::sql

// Checks a DRAT proof without trusting the solver that wrote it.
//
// Forward: each added clause must follow from those before it by unit propagation (RUP), and in the end the
// empty clause must. Deletions are obeyed, except of unit clauses, as is usual. Clauses that need the
// stronger RAT rule are refused; CaDiCaL writes none for the formulas of this folder.
#pragma once

#include <string_view>

#include "base/result.h"
#include "synthesis/sat.h"

namespace assay::synthesis {

Result<void> check_drat(const std::vector<Clause>& formula, std::string_view proof);

// The formula in the DIMACS format, each comment on a line of its own before the clause with its number.
std::string to_dimacs(const std::vector<Clause>& formula,
                      const std::vector<std::pair<std::size_t, std::string>>& comments);
Result<std::vector<Clause>> parse_dimacs(std::string_view text);

}  // namespace assay::synthesis

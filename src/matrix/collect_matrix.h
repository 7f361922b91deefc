// Fills the matrix: every isolation level of every database is tried in turn.
#pragma once

#include "matrix/configuration.h"

namespace assay {

// The databases of these URLs. Without any: SQLite in both of its journal modes, and the servers that are
// installed, which are started for it; one that is not installed is named in Matrix::missing.
Result<Matrix> collect_matrix(const std::vector<std::string>& urls, const MatrixOptions& options);

}  // namespace assay

// A history of rows as a client would record it that does not learn which rows its updates changed.
#pragma once

#include "base/random.h"
#include "history/history.h"

namespace assay::test {

// Some of its updates, as a share, become update-maybes. They list other rows as well, and some say how many
// they changed.
History with_possible_updates(const History& history, Random& random, double share);

}  // namespace assay::test

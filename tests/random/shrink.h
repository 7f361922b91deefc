// From a history that shows a failure to a small one that still does, kept as a file.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "history/history.h"

namespace assay::test {

// A history from which no single transaction and no single operation can be left out without
// `fails` becoming false, or a read losing the last writer of its value. `fails(history)` must hold.
History shrink(const History& history, const std::function<bool(const History&)>& fails);

// Shrinks, saves the result as NAME-DIGEST.hist in $ASSAY_FAILURES (default build/failures), and returns
// a message with its text and place, for the test to print.
std::string report_failure(std::string_view name, const History& history,
                           const std::function<bool(const History&)>& fails);

}  // namespace assay::test

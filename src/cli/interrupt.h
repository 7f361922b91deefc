// Ctrl-C and SIGTERM ask to stop; a second one ends the process at once.
#pragma once

#include <atomic>

namespace assay::cli {

// From the first call on. The flag is for budgets (base/budget.h).
const std::atomic<bool>& watch_interrupts();
bool was_interrupted();
// Whether it was; from now on the next one counts. For work that goes on in another way after the first.
bool take_interrupt();

}  // namespace assay::cli

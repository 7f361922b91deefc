// Ctrl-C and SIGTERM request a stop; a second one ends the process at once.
#pragma once

#include <atomic>

namespace assay::cli {

// Watches signals from the first call on. Budgets take the flag (base/budget.h).
const std::atomic<bool>& watch_interrupts();
bool was_interrupted();
// Whether it was; from now on the next one counts. For work that goes on in another way after the first.
bool take_interrupt();

}  // namespace assay::cli

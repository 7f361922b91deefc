// Sends the steps of a schedule to a database in their order and records what came of it.
//
// Every transaction has a thread, because a step may have to wait for another transaction. When a step does
// not return soon, it is taken to be blocked and the schedule goes on; the later steps of a blocked
// transaction queue up behind it. A transaction that the database aborts leaves out the rest of its steps.
#pragma once

#include "collect/database.h"
#include "collect/schedule.h"

namespace assay {

// The journals are in `directory` afterwards. Transaction i has the i-th level, and so on around.
Result<void> run_schedule(Database& database, const Schedule& schedule,
                          std::span<const DatabaseLevel* const> levels, const std::string& directory,
                          const std::string& note);

}  // namespace assay

// The isolation levels of a run: those that the user named, and what the database claims about them.
#pragma once

#include <string>
#include <vector>

#include "collect/database.h"

namespace assay {

// Names as the database calls its levels, separated by commas; an empty name is the level that the database
// has by default. The sessions of a run take them in turn.
Result<std::vector<const DatabaseLevel*>> find_levels(const Database& database, const std::string& names);

// What the database promises to all of the sessions: the claim that every other one implies.
Result<Level> common_claim(const std::vector<const DatabaseLevel*>& levels);

}  // namespace assay

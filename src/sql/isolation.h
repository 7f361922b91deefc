// The isolation level that a script or a setting asks for itself, in PostgreSQL's statements.
//
// BEGIN and SET TRANSACTION decide for their transaction. A default (SET SESSION CHARACTERISTICS,
// default_transaction_isolation of a session, a role or a database) is what some transactions run at, so it
// only says that the level may be as weak as that.
#pragma once

#include <optional>

#include "sql/program.h"
#include "sql/tree.h"

namespace assay::sql {

// Of BEGIN, START TRANSACTION, SET and ALTER ROLE or DATABASE ... SET; none where the statement names no
// level.
std::optional<OwnIsolation> isolation_in(const Json& statement);
// The comments of a script from a log: `-- isolation level repeatable read: 1 of 4`. Some of its transactions
// asked for the level.
std::optional<OwnIsolation> isolation_in_comments(std::string_view script);
// What is known when both were asked for: the weaker one.
OwnIsolation weaker(const std::optional<OwnIsolation>& before, const OwnIsolation& now);
std::string_view to_text(Isolation level);

}  // namespace assay::sql

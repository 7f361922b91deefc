// PostgreSQL's own parser, which libpg-query carries out of the server: text in, trees as JSON out.
//
// Nothing a text contains may end the process. Of the PL/pgSQL half that is not certain (a body in standard
// SQL reaches an assertion in it), so it runs in a child process, whose death is an error like any other.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.h"

namespace assay::sql {

using Json = nlohmann::json;

// An array of {"stmt": node, "stmt_location": byte, "stmt_len": bytes}. The place of an error is "byte N", N
// counted from 0.
Result<Json> parse_sql(const std::string& text);

// The function that `create_function`, one CREATE FUNCTION, CREATE PROCEDURE or DO statement, defines.
Result<Json> parse_plpgsql(const std::string& create_function);

// The statement in PostgreSQL's plain spelling: without comments, with one blank where there were many. An
// error where the spelling would not be the same statement.
Result<std::string> plain_spelling(const std::string& statement);

// The same for statements that differ in nothing but constants, blanks and comments; empty where the text
// cannot be parsed.
std::string fingerprint_of(const std::string& text);

}  // namespace assay::sql

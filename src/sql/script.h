// The text of an SQL file before PostgreSQL's parser sees it: where transactions begin, and placeholders.
//
//     CREATE TABLE ...;                              schema and functions come first
//     -- transaction: pay(id int, amount numeric)    a transaction as a plain script, up to the next such
//     line SELECT balance FROM account WHERE id = :id \gset UPDATE account SET balance = :balance - :amount
//     WHERE id = $1;
//
// `:name`, `?` and what Python's drivers write (`%s`, `%(name)s`) are rewritten to `$n`, which is all that
// PostgreSQL's grammar knows; `\gset` ends a query whose columns become variables, as in psql. Lines stay
// where they are. Where a heading has no list of parameters, `$1` means another value in each statement, as
// in a server's log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay::sql {

struct Script {
  struct Parameter {
    std::string name;
    std::string type;  // empty: not said
  };
  std::string name;                   // empty for the part before the first transaction
  std::vector<Parameter> parameters;  // declared ones first, then what the text names
  std::size_t declared = 0;           // how many were declared
  bool numbered = false;              // the heading has a list, so `$1` is its first parameter
  std::string text;                   // with placeholders rewritten
  std::size_t first_line = 1;         // of `text` in the file
  std::vector<std::size_t> stored;    // offsets in `text` where \gset ended a query
  struct Command {                    // of psql
    std::string text;
    std::size_t line;
  };
  std::vector<Command> commands;  // that are not read: what they do to the schema, or to the transaction
};

// The first one is the part without a name. Errors have a line as place, but no file.
Result<std::vector<Script>> split_scripts(std::string_view file);

// The end of what begins at `i` and holds no code: a comment, a string, a quoted name. `i` itself when it is
// code.
std::size_t end_of_quiet(std::string_view text, std::size_t i);

}  // namespace assay::sql

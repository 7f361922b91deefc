// A statement without its values: what is the same each time that a piece of an application sends it.
//
// Every literal and every parameter is taken out and becomes a slot, `$1`, `$2` and so on in the order of the
// text. A few literals belong to the statement rather than to a call of it and stay: LIMIT, positions in
// ORDER BY, names of sequences and types, the constants of a SELECT list. A slot knows the columns that its
// value is compared with or written to.
#pragma once

#include <set>

#include "sql_log/logged.h"

namespace assay::sql_log {

struct Slot {
  enum class Source : std::uint8_t {
    Bound,    // a parameter of the statement
    Literal,  // a literal of the text
    Word,     // TRUE, FALSE or NULL
  };
  Source source = Source::Literal;
  std::set<std::string> columns{};  // `table.column`
  std::string array{};              // the type, where it stands for a list of values
};

struct Shape {
  std::string text;  // in PostgreSQL's plain spelling
  std::vector<Slot> slots;
  bool binds = false;  // some slot is Bound: the client sends values beside the text
};

// A statement of the log, taken apart.
struct ShapedStatement {
  Shape shape;
  LoggedValues values;  // one for each slot, as SQL text
};

// One statement. `values` are those of its own parameters.
Result<ShapedStatement> shape_of(const std::string& sql, const LoggedValues& values,
                                 const sql::Schema& schema);

// `SELECT ... $1 ...` with the texts in place of the slots.
std::string filled(const Shape& shape, const std::vector<std::string>& texts);

}  // namespace assay::sql_log

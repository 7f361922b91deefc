// Where the statements of a PL/pgSQL body begin, as offsets in its text.
//
// PostgreSQL's parser says on which line a statement stands. Whoever puts something in front of a statement
// needs the byte. Statements begin behind BEGIN, THEN, ELSE, LOOP and `;`; a THEN or ELSE of a CASE
// expression is told apart by the END that closes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::sql {

struct StatementStart {
  std::size_t offset;
  std::vector<std::string> variables;  // declared by then, as the text spells them
};

// Of all statements but blocks; and of the END and the EXCEPTION of a block, where its last statement is
// over.
std::vector<StatementStart> statement_starts(std::string_view body);

}  // namespace assay::sql

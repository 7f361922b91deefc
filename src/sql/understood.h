// The one place that decides what of PostgreSQL's parse trees Assay understands.
//
// `understood.cpp` has a table: for each kind of node the fields that the code behind it models, or that have
// no influence on what transactions read and write. Everything else is a gap: a kind of node, a field or a
// value of a field that the table does not have. Nothing is lowered before its whole tree was compared with
// the table, so a node that nobody has thought of cannot be dropped: whoever meets a gap assumes that what
// contains it may do anything, and notes it.
#pragma once

#include <string>
#include <vector>

#include "sql/tree.h"

namespace assay::sql {

// What the tree of a statement contains beyond the table: `MergeStmt`, `SelectStmt.windowClause`,
// `Constraint.contype CONSTR_ATTR_DEFERRED`. Each is named once.
std::vector<std::string> gaps_in(const Json& node);
// The same for a node that stands without its kind, as members of a fixed kind do (`TypeCast.typeName`).
std::vector<std::string> gaps_in(const Json& body, std::string_view kind);

// Whether the table has this kind of node.
bool has_kind(std::string_view kind);
// Statements that change nothing that transactions read or write: COMMENT, GRANT, ANALYZE.
bool is_harmless(std::string_view kind);

}  // namespace assay::sql

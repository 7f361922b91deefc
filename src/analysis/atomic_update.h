// One atomic UPDATE in the place of a query and an UPDATE that uses what it read.
//
// SELECT balance INTO b ... ; UPDATE ... SET balance = b - x of the same row loses what others write between
// the two. UPDATE ... SET balance = balance - x does not: the server reads and writes the newest version of
// the row while it holds it. A condition on what was read, around nothing but the UPDATE, becomes one of it.
#pragma once

#include <optional>
#include <vector>

#include "sql/program.h"

namespace assay::analysis {

struct AtomicUpdate {
  std::size_t program;
  std::uint32_t query, update;  // Statement::number
  sql::Place query_place, update_place;
};

// Those of one program that mean the same as before when nothing else runs.
std::vector<AtomicUpdate> atomic_updates(const sql::Application& application, std::size_t program);
// The application with these made; none where one of them cannot be made beside the others.
std::optional<sql::Application> made_atomic(const sql::Application& application,
                                            const std::vector<AtomicUpdate>& updates);
// The UPDATE that such a change leaves.
const sql::Statement* find_update(const sql::Program& program, std::uint32_t number);

}  // namespace assay::analysis

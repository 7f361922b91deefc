#include "analysis/harmless.h"

#include <algorithm>

namespace assay::analysis {
namespace {

bool is_simple(const ProgramFacts& program) {
  return program.loops.empty() && std::ranges::none_of(program.items, [](const Item& item) {
           return item.as<sql::Opaque>() != nullptr;
         });
}

}  // namespace

Answer harmful(const sql::Application& application, const Facts& given, std::span<const Footprint> footprints,
               const Tuple& cycle) {
  // What MariaDB's transactions see of rows that they have changed is not known exactly enough.
  if (std::ranges::any_of(cycle, [&](std::size_t p) {
        return !is_simple(given.programs()[p]) || given.levels().row(p).of_mariadb();
      }))
    return Answer::Possible;
  Facts facts(application, given.levels(), given.options());
  facts.forget_inserted_values();
  z3::context z;
  Encoding encoding(z, facts, footprints);
  for (const std::size_t program : cycle) encoding.add_transaction(program);
  const std::size_t n = cycle.size();
  for (std::size_t i = 0; i < n; ++i) encoding.require(encoding.depends(i, (i + 1) % n));
  for (std::size_t first = 0; first < n; ++first) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i) order.push_back((first + i) % n);
    encoding.add_serial_execution(order);
  }
  encoding.finish();
  encoding.require(encoding.closed());
  for (std::size_t world = 1; world <= n; ++world) encoding.require(encoding.differs(world));
  encoding.limit_search(facts.options().seconds_per_query);
  switch (encoding.solver().check()) {
    case z3::unsat: return Answer::Impossible;
    case z3::sat: return Answer::Possible;
    default: return Answer::Unknown;
  }
}

}  // namespace assay::analysis

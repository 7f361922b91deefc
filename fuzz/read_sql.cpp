// Feeds the reader of SQL programs with anything: it refuses with a reason, or gives programs that keep the
// rules of the model.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "sql/print.h"
#include "sql/read.h"

namespace {

using namespace assay::sql;

[[noreturn]] void broken(const std::string& promise, const std::string& program) {
  fmt::print(stderr, "sql: {}: {}\n", promise, program);
  std::abort();
}

void single_assignment(const Program& program) {
  std::set<VariableId> set(program.parameters.begin(), program.parameters.end());
  const auto sets = [&](VariableId id) {
    if (!id.is_none() && !set.insert(id).second)
      broken("a variable is set twice: " + program[id].name, program.name);
  };
  const auto outputs = [&](const std::vector<Output>& list, const Effect& effect) {
    for (const Output& output : list) sets(output.into);
    sets(effect.found), sets(effect.count);
  };
  walk(program.body, [&](const Statement& statement, std::uint32_t) {
    if (const auto* select = std::get_if<Select>(&statement.what)) outputs(select->outputs, select->effect);
    if (const auto* insert = std::get_if<Insert>(&statement.what)) outputs(insert->returning, insert->effect);
    if (const auto* update = std::get_if<Update>(&statement.what)) outputs(update->returning, update->effect);
    if (const auto* erase = std::get_if<Delete>(&statement.what)) outputs(erase->returning, erase->effect);
    if (const auto* assign = std::get_if<Assign>(&statement.what)) sets(assign->variable);
    if (const auto* loop = std::get_if<Loop>(&statement.what))
      outputs(loop->query.outputs, {}), sets(loop->element);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto application =
      read_application({{"fuzz.sql", std::string(reinterpret_cast<const char*>(data), size)}});
  if (!application) {
    if (application.error().what.empty()) broken("an error without words", "");
    return 0;
  }
  for (const Program& program : application->programs) {
    single_assignment(program);
    to_text(program, application->schema);
  }
  return 0;
}

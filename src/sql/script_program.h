// The statements of a plain script as those of a program: its parameters, its savepoints, its end.
#pragma once

#include <map>
#include <string>

#include "sql/lowering.h"
#include "sql/parsed_text.h"
#include "sql/script.h"

namespace assay::sql {

// `types`: of parameters whose type does not stand in the heading.
Result<void> lower_script(const Script& script, const FileName& file,
                          const std::map<std::string, NamedType>& types, Lowering& lower);

// The types of parameters that follow from what they are compared with or put into.
std::map<std::string, NamedType> types_from_use(const Program& program, const Schema& schema);

}  // namespace assay::sql

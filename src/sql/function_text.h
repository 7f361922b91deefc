// A function or procedure of the files: what it is called with, what it gives, and its statements as those of
// a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sql/lowering.h"
#include "sql/tree.h"

namespace assay::sql {

struct Function {
  std::string name;
  Json definition;   // CreateFunctionStmt
  std::string text;  // the statement
  std::string body;  // of LANGUAGE plpgsql and sql
  std::string language;
  Place place, body_place;
  std::string unclear{};  // what of it is not understood
  bool is_overloaded = false;
};

const Json& option(const Json& definition, std::string_view name);
bool is_trigger_function(const Function& function);

// The columns that a function gives in FROM; a single one without a name has that of the alias.
Columns result_of(const Function& function, const Schema& schema, const Surroundings& around);
// Its parameters as those of a program that clients call.
void declare_parameters(const Function& function, const Surroundings& around, Lowering& lower);
// Its statements, where the program stands.
void lower_body(const Function& function, Lowering& lower);
// In place of a call: the function's statements with its own variables; then the caller's are back.
ExpressionPtr call_of(const Function& function, const std::vector<Given>& given, Lowering& lower);

}  // namespace assay::sql

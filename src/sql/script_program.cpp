#include "sql/script_program.h"

#include <algorithm>
#include <variant>

#include "sql/errors.h"
#include "sql/isolation.h"
#include "sql/tree.h"

namespace assay::sql {
namespace {

using Savepoints = std::vector<std::pair<std::string, std::size_t>>;  // and how many statements came before

// What is rolled back has only read, and has given its locks back.
void undo(Block& body, std::size_t since, Lowering& lower) {
  lower.note("ROLLBACK TO: statements since the savepoint are assumed to read everything");
  for (std::size_t i = since; i < body.size(); ++i) {
    if (std::holds_alternative<Assign>(body[i].what)) continue;
    if (auto* select = std::get_if<Select>(&body[i].what)) {
      select->given_back = true;
      continue;
    }
    Opaque undone{"what was rolled back", {}, {}};
    for (std::size_t t = 0; t < lower.schema().tables.size(); ++t) undone.reads.push_back(TableId(t));
    body[i].what = std::move(undone);
  }
}

// BEGIN, COMMIT, savepoints.
void control(const Json& statement, Lowering& lower, Savepoints& savepoints, bool& ended) {
  const std::string kind = text_of(statement, "kind");
  Block& body = lower.builder().program().body;
  const std::string name = text_of(statement, "savepoint_name");
  if (kind == "TRANS_STMT_BEGIN" || kind == "TRANS_STMT_START") return;
  if (kind == "TRANS_STMT_SAVEPOINT") {
    savepoints.emplace_back(name, body.size());
  } else if (kind == "TRANS_STMT_RELEASE" || kind == "TRANS_STMT_ROLLBACK_TO") {
    const bool undoes = kind == "TRANS_STMT_ROLLBACK_TO";
    const auto found = std::ranges::find(savepoints.rbegin(), savepoints.rend(), name,
                                         &std::pair<std::string, std::size_t>::first);
    if (found == savepoints.rend())
      return lower.not_understood((undoes ? "ROLLBACK TO " : "RELEASE ") + name);
    const std::size_t since = found->second;
    // Those that were made later are gone; the one that was rolled back to remains.
    savepoints.erase(found.base() - (undoes ? 0 : 1), savepoints.end());
    if (undoes) undo(body, since, lower);
  } else if (kind == "TRANS_STMT_COMMIT") {
    ended = true;
  } else if (kind == "TRANS_STMT_ROLLBACK") {
    lower.builder().append(Abort{"ROLLBACK"});
    ended = true;
  } else {
    lower.not_understood(kind);
  }
}

}  // namespace

Result<void> lower_script(const Script& script, const FileName& file,
                          const std::map<std::string, NamedType>& types, Lowering& lower) {
  if (!script.commands.empty())
    return error_at({file, script.commands[0].line}, "a psql command in a transaction",
                    "of these only \\gset is read");
  auto parsed = parse(script.text, file, script.first_line);
  if (!parsed) return std::move(parsed).error();
  for (std::size_t i = 0; i < script.parameters.size(); ++i) {
    const auto& [name, type_text] = script.parameters[i];
    NamedType type = resolve_type(type_of(type_text), lower.schema());
    const auto inferred = types.find(name);
    if (type_text.empty())
      type = inferred == types.end() ? NamedType{Type::Other, false, false, ""} : inferred->second;
    // What \gset sets is no parameter; whatever is named before it is set is one.
    if (i < script.declared) lower.add_parameter(name, type);
    else lower.parameters.push_back(name), lower.undeclared[name] = type;
  }
  lower.reads_text(script.text);
  lower.builder().program().isolation = isolation_in_comments(script.text);
  Savepoints savepoints;
  bool ended = false;
  for (const Json& statement : parsed->statements) {
    const Json& node = member(statement, "stmt");
    lower.at(parsed->place_of(statement));
    if (const auto level = isolation_in(node)) {
      std::optional<OwnIsolation>& own = lower.builder().program().isolation;
      own = weaker(own, *level);
      if (kind_of(node) == "VariableSetStmt") continue;
    }
    if (kind_of(node) == "TransactionStmt") {
      control(member(node, "TransactionStmt"), lower, savepoints, ended);
      continue;
    }
    if (ended)
      lower.fail("a statement behind the end of its transaction",
                 "make each transaction a script of its own");
    const auto end =
        static_cast<std::size_t>(number_of(statement, "stmt_location") + number_of(statement, "stmt_len"));
    Into into;
    if (std::ranges::find(script.stored, end) != script.stored.end()) into.record = "\\gset";
    lower.statement(node, into);
  }
  return {};
}

std::map<std::string, NamedType> types_from_use(const Program& program, const Schema& schema) {
  std::map<std::string, NamedType> types;
  // The server takes the type of what a parameter is compared with or put into, without its length or
  // scale.
  const auto learn = [&](ExpressionPtr value, Type type, std::string declared) {
    if (const auto open = declared.find('('); open != std::string::npos)
      declared.erase(open, declared.find(')', open) - open + 1);
    while (value->kind == Expression::Kind::Unknown && value->kids.size() == 1) value = value->kids[0];
    if (value->kind == Expression::Kind::Variable && value->type == Type::Other && type != Type::Other)
      types.try_emplace(program[value->variable].name, NamedType{type, false, false, declared});
  };
  const auto look = [&](const ExpressionPtr& expression) {
    walk(expression, [&](const Expression& part) {
      if (part.kids.size() < 2) return;
      for (std::size_t i = 0; i < part.kids.size(); ++i)
        learn(part.kids[i], part.kids[i == 0 ? 1 : 0]->type, part.kids[i == 0 ? 1 : 0]->declared);
    });
  };
  walk(program.body, [&](const Statement& statement, std::uint32_t) {
    if (const auto* select = std::get_if<Select>(&statement.what)) {
      look(select->where);
      for (const Output& output : select->outputs) look(output.value);
    }
    if (const auto* change = std::get_if<Update>(&statement.what)) {
      look(change->where);
      for (const auto& set : change->sets)
        look(set.value), learn(set.value, schema[change->table][set.column].type,
                               schema[change->table][set.column].declared);
    }
    if (const auto* change = std::get_if<Delete>(&statement.what)) look(change->where);
    if (const auto* change = std::get_if<Insert>(&statement.what))
      for (std::size_t i = 0; i < change->values.size(); ++i) {
        look(change->values[i]);
        learn(change->values[i], schema[change->table].columns[i].type,
              schema[change->table].columns[i].declared);
      }
    if (const auto* assign = std::get_if<Assign>(&statement.what)) look(assign->value);
  });
  return types;
}

}  // namespace assay::sql

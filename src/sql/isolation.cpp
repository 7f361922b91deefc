#include "sql/isolation.h"

#include <algorithm>

#include "sql/words.h"

namespace assay::sql {
namespace {

std::optional<Isolation> level_called(std::string_view written) {
  const std::string name = lowered(written);
  if (name == "read committed" || name == "read uncommitted") return Isolation::ReadCommitted;
  if (name == "repeatable read") return Isolation::RepeatableRead;
  if (name == "serializable") return Isolation::Serializable;
  return std::nullopt;
}

std::optional<Isolation> level_named(const Json& constant) {
  return level_called(text_of(member(as(constant, "A_Const"), "sval"), "sval"));
}

std::optional<Isolation> level_among(const Json& options) {
  for (const Json& option : options) {
    const Json& element = as(option, "DefElem");
    if (text_of(element, "defname") == "transaction_isolation") return level_named(member(element, "arg"));
  }
  return std::nullopt;
}

}  // namespace

std::optional<OwnIsolation> isolation_in(const Json& statement) {
  const std::string kind = kind_of(statement);
  const Json& body = member(statement, kind.c_str());
  std::optional<Isolation> level;
  bool is_default = false;
  if (kind == "TransactionStmt") {
    level = level_among(member(body, "options"));
  } else if (kind == "VariableSetStmt" || kind == "AlterRoleSetStmt" || kind == "AlterDatabaseSetStmt") {
    const Json& setting = kind == "VariableSetStmt" ? body : member(body, "setstmt");
    const std::string name = lowered(text_of(setting, "name"));
    const Json& arguments = member(setting, "args");
    is_default = name != "transaction" && name != "transaction_isolation";
    if (name == "transaction" || name == "session characteristics") level = level_among(arguments);
    else if ((name == "transaction_isolation" || name == "default_transaction_isolation") &&
             !arguments.empty())
      level = level_named(arguments[0]);
  }
  if (!level) return std::nullopt;
  return OwnIsolation{*level, is_default};
}

std::optional<OwnIsolation> isolation_in_comments(std::string_view script) {
  constexpr std::string_view kMark = "-- isolation level ";
  std::optional<OwnIsolation> found;
  for (auto at = script.find(kMark); at != script.npos; at = script.find(kMark, at + 1)) {
    const std::string_view rest = script.substr(at + kMark.size());
    if (const auto level = level_called(rest.substr(0, rest.find_first_of(":\n"))))
      found = weaker(found, {*level, true});
  }
  return found;
}

OwnIsolation weaker(const std::optional<OwnIsolation>& before, const OwnIsolation& now) {
  if (!before) return now;
  if (before->at_most && !now.at_most) return now;  // the transaction decides, whatever the default is
  if (now.at_most && !before->at_most) return *before;
  return {std::min(before->level, now.level), now.at_most};
}

std::string_view to_text(Isolation level) {
  return level == Isolation::ReadCommitted    ? "read committed"
         : level == Isolation::RepeatableRead ? "repeatable read"
                                              : "serializable";
}

}  // namespace assay::sql

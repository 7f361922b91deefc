#include "sql_log/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "sql/script.h"
#include "sql_log/characters.h"
#include "sql_log/column_uses.h"

namespace assay::sql_log {
namespace {

using sql::as;
using sql::Json;
using sql::member;

// A quote inside of a string is doubled; a backslash means something in E'...' only.
std::size_t end_of_string(std::string_view text, std::size_t i, bool escapes) {
  for (++i; i < text.size(); ++i) {
    if (escapes && text[i] == '\\') ++i;
    else if (text.substr(i).starts_with("''")) ++i;
    else if (text[i] == '\'') return i + 1;
  }
  return text.size();
}

// Where the literal or parameter that begins at `start` ends; `start` itself where none is written there, as
// in `extract(year FROM at)`.
std::size_t end_of_value(std::string_view text, std::size_t start) {
  std::size_t i = start;
  if (i < text.size() && text[i] == '-') i = std::min(text.find_first_not_of(" -", i), text.size());
  const bool escapes = i + 1 < text.size() && (text[i] == 'E' || text[i] == 'e') && text[i + 1] == '\'';
  if (escapes) ++i;
  if (i < text.size() && text[i] == '\'') return end_of_string(text, i, escapes);
  if (i + 1 < text.size() && text[i] == '$' && !is_digit(text[i + 1])) return sql::end_of_quiet(text, i);
  const bool number = i < text.size() && (is_digit(text[i]) || text[i] == '.');
  const bool parameter = i < text.size() && text[i] == '$';
  if (!number && !parameter) return start;
  for (++i; i < text.size() &&
            (is_word(text[i]) || (number && text[i] == '.') ||
             (number && (text[i] == '-' || text[i] == '+') && std::tolower(text[i - 1]) == 'e'));)
    ++i;
  return i;
}

std::size_t end_of_word(std::string_view text, std::size_t start) {
  while (start < text.size() && is_word(text[start])) ++start;
  return start;
}

class SlotFinder {
 public:
  struct Found {
    std::size_t start, end;
    Slot::Source source;
    std::size_t parameter;  // of Bound: its number
  };

  explicit SlotFinder(std::string_view text) : text_(text) {}

  std::vector<Found> run(const Json& statement) {
    visit(statement, false);
    std::ranges::sort(found_, {}, &Found::start);
    return std::move(found_);
  }

 private:
  // `stays`: literals here belong to the statement.
  void visit(const Json& node, bool stays) {
    if (!node.is_structured()) return;
    if (!node.is_object()) {
      for (const Json& kid : node) visit(kid, stays);
      return;
    }
    for (const auto& [key, kid] : node.items()) {
      if (key == "A_Const" && !stays) literal(kid);
      if (key == "ParamRef") parameter(kid);
      visit(kid, stays || belongs_to_statement(key, kid));
    }
  }

  static bool belongs_to_statement(const std::string& key, const Json& node) {
    for (const char* field :
         {"limitCount", "limitOffset", "sortClause", "groupClause", "typeName", "DefElem"})
      if (key == field) return true;
    if (key == "FuncCall") {
      const std::string name = sql::last_name(member(node, "funcname"));
      return sql::text_of(node, "funcformat") == "COERCE_SQL_SYNTAX" || name == "nextval" ||
             name == "currval" || name == "setval" || name == "pg_get_serial_sequence";
    }
    if (key == "TypeCast") {
      const std::string type = sql::last_name(member(member(node, "typeName"), "names"));
      // `date '2024-01-01'`: no parameter can stand there.
      return type.starts_with("reg") || sql::number_of(node, "location") == -1;
    }
    // SELECT 1 FROM ...
    return key == "ResTarget" && sql::text_of(node, "name").empty() &&
           sql::kind_of(member(node, "val")) == "A_Const" && member(node, "indirection").is_null() &&
           !member(as(member(node, "val"), "A_Const"), "ival").is_null();
  }

  void literal(const Json& constant) {
    const auto start = static_cast<std::size_t>(sql::number_of(constant, "location"));
    const bool word = member(constant, "isnull").is_boolean() || !member(constant, "boolval").is_null();
    const std::size_t end = word ? end_of_word(text_, start) : end_of_value(text_, start);
    if (end > start) found_.push_back({start, end, word ? Slot::Source::Word : Slot::Source::Literal, 0});
  }

  void parameter(const Json& reference) {
    const auto start = static_cast<std::size_t>(sql::number_of(reference, "location"));
    found_.push_back({start, end_of_value(text_, start), Slot::Source::Bound,
                      static_cast<std::size_t>(sql::number_of(reference, "number"))});
  }

  std::string_view text_;
  std::vector<Found> found_;
};

}  // namespace

Result<ShapedStatement> shape_of(const std::string& sql, const LoggedValues& values,
                                 const sql::Schema& schema) {
  auto spelled = sql::plain_spelling(sql);
  const std::string text = spelled ? std::move(spelled).value() : sql;
  const auto parsed = sql::parse_sql(text);
  if (!parsed) return parsed.error();
  if (parsed->size() != 1) return error("not one statement");
  const Json& tree = member((*parsed)[0], "stmt");
  const ColumnUses uses = column_uses(tree, schema);

  ShapedStatement result;
  std::map<std::size_t, std::size_t> slot_of_parameter;
  std::size_t copied = 0;
  for (const SlotFinder::Found& found : SlotFinder(text).run(tree)) {
    std::size_t slot = result.shape.slots.size();
    if (found.source == Slot::Source::Bound)
      slot = slot_of_parameter.try_emplace(found.parameter, slot).first->second;
    if (slot == result.shape.slots.size()) {
      result.shape.slots.push_back({found.source});
      const bool bound = found.source == Slot::Source::Bound;
      result.values.push_back(bound ? found.parameter <= values.size() ? values[found.parameter - 1]
                                                                       : std::nullopt
                                    : std::optional(text.substr(found.start, found.end - found.start)));
      result.shape.binds |= bound;
    }
    if (const auto use = uses.find(static_cast<std::int64_t>(found.start)); use != uses.end())
      result.shape.slots[slot].columns.insert(use->second.begin(), use->second.end());
    result.shape.text += text.substr(copied, found.start - copied) + fmt::format("${}", slot + 1);
    copied = found.end;
  }
  result.shape.text += text.substr(copied);
  if (sql::fingerprint_of(result.shape.text) != sql::fingerprint_of(text))
    return error("its values cannot be taken out of its text");
  return result;
}

std::string filled(const Shape& shape, const std::vector<std::string>& texts) {
  const std::string& text = shape.text;
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t quiet = sql::end_of_quiet(text, i);
    if (quiet == i && text[i] == '$' && (i == 0 || !is_word(text[i - 1]))) {
      const std::size_t end = end_of_word(text, i + 1);
      result += texts[std::stoul(text.substr(i + 1, end - i - 1)) - 1];
      i = end;
      continue;
    }
    const std::size_t end = std::max(quiet, i + 1);
    result += text.substr(i, end - i);
    i = end;
  }
  return result;
}

}  // namespace assay::sql_log

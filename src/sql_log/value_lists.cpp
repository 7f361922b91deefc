#include "sql_log/value_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sql/pg_parser.h"
#include "sql/tree.h"

namespace assay::sql_log {
namespace {

using sql::Json;
using sql::member;

// The type of an array of this column's values; empty where the column is not known.
std::string array_of(const std::string& column, const sql::Schema& schema) {
  const auto dot = column.rfind('.');
  const auto table = schema.find(column.substr(0, dot));
  const auto found = table ? schema[*table].find(column.substr(dot + 1)) : std::nullopt;
  std::string type = found ? schema[*table][*found].declared : std::string();
  if (type == "bigserial" || type == "serial8") type = "bigint";
  else if (type.find("serial") != type.npos) type = "integer";
  return type.empty() ? type : type + "[]";
}

class ListFinder {
 public:
  struct List {
    std::size_t start, end;          // of `IN (...)`
    std::vector<std::size_t> slots;  // numbers from 1
  };

  explicit ListFinder(std::string_view text) : text_(text) {}

  std::vector<List> run(const Json& tree) {
    visit(tree);
    // A parameter that stands elsewhere, too, cannot become part of an array.
    std::erase_if(lists_, [&](const List& list) {
      return std::ranges::any_of(list.slots, [&](std::size_t slot) { return uses_[slot] > 1; });
    });
    std::ranges::sort(lists_, {}, &List::start);
    return std::move(lists_);
  }

 private:
  void visit(const Json& node) {
    if (!node.is_structured()) return;
    if (const Json& comparison = sql::as(node, "A_Expr");
        sql::text_of(comparison, "kind") == "AEXPR_IN" && sql::last_name(member(comparison, "name")) == "=")
      list(comparison);
    if (const Json& slot = sql::as(node, "ParamRef"); !slot.is_null()) ++uses_[number_of_slot(slot)];
    for (const Json& kid : node) visit(kid);
  }

  static std::size_t number_of_slot(const Json& reference) {
    return static_cast<std::size_t>(sql::number_of(reference, "number"));
  }

  void list(const Json& comparison) {
    List found{static_cast<std::size_t>(sql::number_of(comparison, "location")), 0, {}};
    for (const Json& item : member(sql::as(member(comparison, "rexpr"), "List"), "items")) {
      const Json& slot = sql::as(item, "ParamRef");
      if (slot.is_null()) return;
      found.slots.push_back(number_of_slot(slot));
      found.end = static_cast<std::size_t>(sql::number_of(slot, "location"));
    }
    found.end = text_.find(')', found.end);
    if (found.slots.empty() || found.end == text_.npos || !text_.substr(found.start).starts_with("IN ("))
      return;
    ++found.end;
    lists_.push_back(std::move(found));
  }

  std::string_view text_;
  std::vector<List> lists_;
  std::map<std::size_t, std::size_t> uses_;  // of each slot
};

}  // namespace

ShapedStatement with_arrays(ShapedStatement statement, const sql::Schema& schema) {
  Shape& shape = statement.shape;
  if (shape.text.find(" IN ($") == shape.text.npos) return statement;
  const auto parsed = sql::parse_sql(shape.text);
  if (!parsed || parsed->size() != 1) return statement;
  std::vector<ListFinder::List> lists = ListFinder(shape.text).run(member((*parsed)[0], "stmt"));
  std::erase_if(lists, [&](const ListFinder::List& list) {
    const auto& columns = shape.slots[list.slots[0] - 1].columns;
    return columns.empty() || array_of(*columns.begin(), schema).empty();
  });
  // Back to front, so that places stay. The first slot of a list becomes the array; the others are gone, and
  // the rest is numbered anew.
  std::vector<bool> gone(shape.slots.size(), false);
  for (auto list = lists.rbegin(); list != lists.rend(); ++list) {
    const std::size_t first = list->slots[0];
    shape.text.replace(list->start, list->end - list->start, fmt::format("= ANY (${})", first));
    Slot& slot = shape.slots[first - 1];
    slot.array = array_of(*slot.columns.begin(), schema);
    slot.source = Slot::Source::Bound;
    statement.values[first - 1].reset();
    for (const std::size_t other : list->slots) gone[other - 1] = gone[other - 1] || other != first;
  }
  std::vector<std::string> texts;
  std::size_t kept = 0;
  for (const bool is_gone : gone) texts.push_back(fmt::format("${}", is_gone ? 0 : ++kept));
  shape.text = filled(shape, texts);
  for (std::size_t i = gone.size(); i-- > 0;)
    if (gone[i]) {
      shape.slots.erase(shape.slots.begin() + static_cast<std::ptrdiff_t>(i));
      statement.values.erase(statement.values.begin() + static_cast<std::ptrdiff_t>(i));
    }
  return statement;
}

}  // namespace assay::sql_log

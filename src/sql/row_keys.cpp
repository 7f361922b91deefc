// The parts and the condition of such a constraint are expressions over a row, so they are read as those of a
// query are: as `SELECT parts FROM table WHERE condition`. What does not become a query of one statement over
// that table is left out; the analysis then knows only which columns the constraint reads.
#include "sql/row_keys.h"

namespace assay::sql {
namespace {

Json node(const char* kind, Json body) { return Json{{kind, std::move(body)}}; }

// Of an IndexElem; null where another operator class or collation may call other values equal.
Json expression_of(const Json& element) {
  const Json& index = as(element, "IndexElem");
  if (!member(index, "opclass").is_null() || !member(index, "collation").is_null()) return nothing();
  if (const Json& expression = member(index, "expr"); !expression.is_null()) return expression;
  return node("ColumnRef", {{"fields", Json::array({node("String", {{"sval", text_of(index, "name")}})})}});
}

std::optional<RowKey> read_key(const Schema& schema, TableId table, const RowKeyText& text,
                               const Surroundings& around) {
  Json targets = Json::array();
  for (const RowKeyText::Part& part : text.parts) {
    const Json value = expression_of(part.element);
    if (value.is_null()) return std::nullopt;
    targets.push_back(node("ResTarget", {{"val", value}}));
  }
  Json query{{"targetList", targets},
             {"fromClause", Json::array({node("RangeVar", {{"relname", text.table}, {"inh", true}})})}};
  if (!text.where.is_null()) query["whereClause"] = text.where;

  std::vector<Note> nowhere;
  Lowering lower(schema, around, nowhere, "constraint", text.place);
  lower.reads_no_text();
  lower.at(text.place);
  lower.statement(node("SelectStmt", query), Into{});
  if (lower.problem()) return std::nullopt;
  const Program program = lower.builder().finish();
  const auto* select = program.body.empty() ? nullptr : std::get_if<Select>(&program.body[0].what);
  if (program.body.size() != 1 || select == nullptr || select->sources != std::vector{table} ||
      select->outputs.size() != text.parts.size())
    return std::nullopt;
  RowKey key{{}, select->where};
  for (std::size_t part = 0; part < text.parts.size(); ++part) {
    const Output& output = select->outputs[part];
    if (!output.value || output.aggregate != Output::Aggregate::None) return std::nullopt;
    key.parts.push_back({output.value, text.parts[part].operation});
  }
  return key;
}

}  // namespace

void add_row_keys(Schema& schema, const std::vector<RowKeyText>& keys, const Surroundings& around) {
  for (const RowKeyText& text : keys)
    if (const auto table = schema.find(text.table); table && !schema.partitions.contains(text.table))
      if (auto key = read_key(schema, *table, text, around))
        schema.tables[table->index()].row_keys.push_back(std::move(*key));
}

}  // namespace assay::sql
